import { canonicalText } from '../canonical/text.ts';

/** Words of a title and of a SKU, and characters of each word. */
const [MAX_WORDS, MAX_WORDS_OF_SKU, MAX_LENGTH] = [40, 2, 60];
/** Words of a search that are looked for. */
const MAX_SEARCHED = 8;
const OUTSIDE = /^[^\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+$/gu;
const PART = /[\p{L}\p{N}\p{M}]+/gu;
/** What most words are, which are nothing but themselves; this is cheaper to tell. */
const PLAIN = /^[a-z0-9]+$/;
const PLAIN_AT_BOTH_ENDS = /^[a-z0-9](?:.*[a-z0-9])?$/s;

/**
 * Returns the words by which an item is found: of its title, and of all that it is sold as, in order and each once. `t-shirt`
 * is found by itself and by both of its parts; of what it is sold as, parts count as long as there is room.
 */
export function wordsOf(title: string, skus: readonly (string | null)[]): string[] {
  const words = new Set([...new Set(between(title).flatMap(withParts))].slice(0, MAX_WORDS));
  const sold = skus.flatMap((sku) => between(sku ?? '').slice(0, MAX_WORDS_OF_SKU));
  for (const word of sold) words.add(clipped(word));
  for (const word of sold.flatMap(withParts)) if (words.size < MAX_WORDS) words.add(word);
  return [...words].sort();
}

function withParts(word: string): string[] {
  return PLAIN.test(word) ? [clipped(word)] : [word, ...(word.match(PART) ?? [])].map(clipped);
}

/** Returns what a search asks for: beginnings of words, the longest first; none if it has no word. */
export function searchedWords(text: string): string[] {
  const words = between(text).map(clipped);
  return [...new Set(words)].sort((one, other) => other.length - one.length).slice(0, MAX_SEARCHED);
}

/** What stands between blanks, as it is compared, without punctuation around it. */
function between(text: string): string[] {
  return canonicalText(text)
    .toLowerCase()
    .split(/\s+/)
    .map((word) => (PLAIN_AT_BOTH_ENDS.test(word) ? word : word.replace(OUTSIDE, '')))
    .filter((word) => word !== '');
}

function clipped(word: string): string {
  return word.length <= MAX_LENGTH ? word : Array.from(word).slice(0, MAX_LENGTH).join('');
}
