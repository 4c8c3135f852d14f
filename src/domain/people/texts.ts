/** Characters of an e-mail address. */
export const MOST_OF_EMAIL = 254;

/** What would have a line read otherwise than it is written. */
const CONTROLS = '\\p{Cc}\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const EMAIL = new RegExp(`^[^\\s@${CONTROLS}]+@[^\\s@${CONTROLS}]+$`, 'u');
const NOT_OF_A_LINE = new RegExp(`[\\p{Zl}\\p{Zp}${CONTROLS}]`, 'u');

export function isEmailAddress(text: string): boolean {
  return text.length <= MOST_OF_EMAIL && text.isWellFormed() && EMAIL.test(text);
}

export function isOneLine(text: string): boolean {
  return !NOT_OF_A_LINE.test(text);
}

/** With spaces in the place of what is on no line. */
export function oneLine(text: string): string {
  return text.replaceAll(new RegExp(NOT_OF_A_LINE, 'gu'), ' ');
}
