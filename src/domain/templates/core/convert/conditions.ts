import type { Term, Value } from './expression.ts';
import { join, type Writing, writeValue } from './filters.ts';

export interface ConditionWriting extends Writing {
  /** Has a tag written before, which gives a name to something; returns the name. */
  name(value: string): string;
  /** The same for whether several things hold. */
  nameCondition(condition: string): string;
}

/**
 * Writes a condition of Django, in which `and` binds more than `or`, in Liquid, in which whatever comes later binds more
 * and values have no filters. Throws `NoEqual`.
 */
export function writeCondition(alternatives: readonly (readonly Term[])[], writing: ConditionWriting): string {
  const written = alternatives.map((terms) => terms.map((term) => writeTerm(term, writing)));
  const [single, several] = [written.filter(({ length }) => length === 1), written.filter(({ length }) => length > 1)];
  const last = several.pop();
  const named = several.map((terms) => `${writing.nameCondition(terms.join(' and '))} == true`);
  return [...single.flat(), ...named, ...(last ? [last.join(' and ')] : [])].join(' or ');
}

const OPPOSITE: Readonly<Record<string, string>> = { '==': '!=', '!=': '==' };

function writeTerm({ isNegated, left, operator, right }: Term, writing: ConditionWriting): string {
  const first = plain(left, writing);
  // Texts and lists that are empty hold in Liquid, and not there.
  if (operator === undefined || right === undefined) return `${first} ${isNegated ? '==' : '!='} blank`;
  const second = plain(right, writing);
  if (operator === 'in' || operator === 'not in') {
    return (operator === 'not in') === isNegated ? `${second} contains ${first}` : `not ${second} contains ${first}`;
  }
  if (!isNegated) return `${first} ${operator} ${second}`;
  const opposite = OPPOSITE[operator];
  return opposite === undefined ? `not ${first} ${operator} ${second}` : `${first} ${opposite} ${second}`;
}

/** A value without filters. */
function plain(value: Value, writing: ConditionWriting): string {
  const written = writeValue(value, writing);
  return written.filters.length === 0 ? written.base : writing.name(join(written));
}
