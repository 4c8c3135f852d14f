/** Control characters, line breaks of Unicode, and what turns the direction of text: a terminal obeys them. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

export function isPrintable(text: string): boolean {
  return text.search(UNPRINTABLE) === -1;
}

/** The same on one line, with escapes as JSON has them in the place of what is not printable. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
