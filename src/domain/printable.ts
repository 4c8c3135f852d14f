/** Control characters, Unicode line breaks and direction marks, which terminals obey. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

export function isPrintable(text: string): boolean {
  return text.search(UNPRINTABLE) === -1;
}

/** Returns the text on one line, with JSON escapes for unprintable characters. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
