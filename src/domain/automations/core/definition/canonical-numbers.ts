import { readPhone, readPhoneSearch } from '../../../canonical/phone.ts';
import { leavesOf } from '../../../conditions/tree.ts';
import type { IdentifierLeaf } from './condition.ts';
import { conditionsOf } from './conditions-of.ts';
import type { Definition } from './definition.ts';

/**
 * Returns a definition in which the telephone numbers that it compares with are those that customers have: read as they are
 * dialled in the country of the store (ISO 3166), where it has one. The same if they are.
 */
export function withCanonicalNumbers(definition: Definition, country: string | null): Definition {
  if (country === null || numbersOf(definition).length === 0) return definition;
  const copy = structuredClone(definition);
  for (const leaf of numbersOf(copy)) Object.assign(leaf, read(leaf, country));
  return copy;
}

function numbersOf(definition: Definition): IdentifierLeaf[] {
  return conditionsOf(definition).flatMap(({ condition }) =>
    [...leavesOf(condition)].flatMap(({ leaf }) => ('identifier' in leaf && leaf.identifier === 'phone' ? [leaf] : [])),
  );
}

function read({ op, value }: IdentifierLeaf, country: string): object {
  const spelt = (one: unknown) => (typeof one === 'string' ? spellingOf(one, op, country) : one);
  if (value === undefined) return {};
  return { value: Array.isArray(value) ? value.map(spelt) : spelt(value) };
}

function spellingOf(text: string, op: string, country: string): string {
  if (op !== 'starts_with') return readPhone(text, country)?.value ?? text;
  const search = readPhoneSearch(text, country);
  return 'whole' in search ? search.whole.value : search.beginning;
}
