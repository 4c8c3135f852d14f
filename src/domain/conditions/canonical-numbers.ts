import { readPhone, readPhoneSearch } from '../canonical/phone.ts';
import type { Comparison } from './comparison.ts';
import type { FormerCondition } from './former.ts';
import { leavesOf } from './tree.ts';

type Numbered = { identifier: 'phone' } & Partial<Comparison>;

/**
 * Returns a copy of what has conditions in which the telephone numbers that these compare with are those that customers have:
 * read as they are dialled in the country of the store (ISO 3166), where it has one. The same if they are. `conditionsOf`
 * finds the conditions.
 */
export function withCanonicalNumbers<Whole>(
  whole: Whole,
  country: string | null,
  conditionsOf: (whole: Whole) => readonly FormerCondition[],
): Whole {
  const numbersOf = (one: Whole) => conditionsOf(one).flatMap((condition) => [...numbersIn(condition)]);
  if (country === null || numbersOf(whole).length === 0) return whole;
  const copy = structuredClone(whole);
  for (const leaf of numbersOf(copy)) Object.assign(leaf, read(leaf, country));
  return copy;
}

function* numbersIn(condition: FormerCondition): Generator<Numbered> {
  for (const { leaf } of leavesOf(condition)) {
    if ('identifier' in leaf && leaf.identifier === 'phone') yield leaf as Numbered;
  }
}

function read({ op, value }: Numbered, country: string): object {
  if (op === undefined || value === undefined) return {};
  const spelt = (one: unknown) => (typeof one === 'string' ? spellingOf(one, op, country) : one);
  return { value: Array.isArray(value) ? value.map(spelt) : spelt(value) };
}

function spellingOf(text: string, op: string, country: string): string {
  // The last digits of a number are no number.
  if (op === 'ends_with') return text;
  if (op !== 'starts_with') return readPhone(text, country)?.value ?? text;
  const search = readPhoneSearch(text, country);
  return 'whole' in search ? search.whole.value : search.beginning;
}
