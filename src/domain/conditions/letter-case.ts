import { canonicalText, isAscii } from '../canonical/text.ts';

/**
 * Capital letters and the small ones that they become, beyond ASCII and one for one: the same table for memory and for SQL, as
 * what a database takes for a letter depends on its locale.
 */
export const { capitals: CAPITALS, small: SMALL } = pairs();

const BY_CAPITAL = new Map([...CAPITALS].map((capital, i) => [capital, SMALL[i] as string]));

function pairs(): { capitals: string; small: string } {
  let [capitals, small] = ['', ''];
  for (let code = 0x80; code <= 0xffff; code += 1) {
    const capital = String.fromCharCode(code);
    const lower = capital.toLowerCase();
    if (lower === capital || lower.length > 1) continue;
    capitals += capital;
    small += lower;
  }
  return { capitals, small };
}

/** A text as texts are compared where it does not matter how letters are written. */
export function withoutCase(text: string): string {
  const small = canonicalText(text).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  if (isAscii(small)) return small;
  return small.replace(/[^\0-\x7f]/g, (letter) => BY_CAPITAL.get(letter) ?? letter);
}
