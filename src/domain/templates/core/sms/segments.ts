/** What a text message is counted as: phone companies send and charge it in segments. */
export interface Segments {
  count: number;
  /** `ucs2` if it has a character that the alphabet of phones has not. */
  encoding: 'gsm7' | 'ucs2';
}

/** The alphabet of phones (GSM 03.38), and what takes two places in it. */
const GSM7 = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
    '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const TWO_PLACES = new Set('\f^{}\\[~]|€');

/** Places of a text that is one segment, and of each segment where there are several. */
const PLACES = { gsm7: [160, 153], ucs2: [70, 67] } as const;

/** Counts the segments of a text. No character is cut in two. */
export function countSegments(text: string): Segments {
  const encoding = firstOutside(text) === undefined ? 'gsm7' : 'ucs2';
  const [one, ofSeveral] = PLACES[encoding];
  const places = Array.from(text, (character) => {
    return encoding === 'ucs2' ? character.length : TWO_PLACES.has(character) ? 2 : 1;
  });
  if (places.reduce((sum, size) => sum + size, 0) <= one) return { count: text === '' ? 0 : 1, encoding };
  let [count, used] = [1, 0];
  for (const size of places) {
    if (used + size > ofSeveral) [count, used] = [count + 1, 0];
    used += size;
  }
  return { count, encoding };
}

/** Returns the first character, and its place, that makes a text longer as phones have no short form of it. */
export function firstOutside(text: string): { character: string; at: number } | undefined {
  let at = 0;
  for (const character of text) {
    if (!GSM7.has(character) && !TWO_PLACES.has(character)) return { character, at };
    at += character.length;
  }
  return undefined;
}
