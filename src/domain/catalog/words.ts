import { canonicalText } from '../canonical/text.ts';

/** Words of an item, and characters of each, by which it is found. */
const [MAX_WORDS, MAX_LENGTH] = [40, 60];
/** Words of a search that are looked for. */
const MAX_SEARCHED = 8;
const OUTSIDE = /^[^\p{L}\p{N}\p{M}]+|[^\p{L}\p{N}\p{M}]+$/gu;
const PART = /[\p{L}\p{N}\p{M}]+/gu;

/**
 * Returns the words by which an item is found: of what it is sold as, and of its title, in order and each once. `t-shirt`
 * is found by itself and by both of its parts.
 */
export function wordsOf(title: string, skus: readonly (string | null)[]): string[] {
  const words = new Set<string>();
  for (const text of [...skus, title]) {
    for (const word of between(text ?? '')) {
      words.add(clipped(word));
      for (const part of word.match(PART) ?? []) words.add(clipped(part));
    }
  }
  return [...words].slice(0, MAX_WORDS).sort();
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
    .map((word) => word.replace(OUTSIDE, ''))
    .filter((word) => word !== '');
}

function clipped(word: string): string {
  return word.length <= MAX_LENGTH ? word : Array.from(word).slice(0, MAX_LENGTH).join('');
}
