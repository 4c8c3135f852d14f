import { bounded, boundedList } from '../bounds.ts';
import { isMissing, plain, readPath, toList, toNumber, toText } from '../values.ts';

function join(value: unknown, separator: unknown = ' '): string {
  const between = toText(separator);
  let text = '';
  for (const [i, member] of toList(value).entries()) text = bounded(text + (i === 0 ? '' : between) + toText(member));
  return text;
}

/** What a member is compared by: itself, or one of its properties. */
function keyOf(member: unknown, property: unknown): unknown {
  return plain(property) === undefined ? plain(member) : readPath(member, toText(property));
}

/** Numbers by size, then texts by their characters, then what is missing. */
function compare(one: unknown, other: unknown): number {
  const [first, second] = [rank(one), rank(other)];
  if (first !== second) return first - second;
  if (first === 0) return (one as number) - (other as number);
  const [left, right] = [toText(one), toText(other)];
  return left < right ? -1 : Number(left > right);
}

function rank(value: unknown): number {
  if (typeof value === 'number') return 0;
  return value === undefined || value === null ? 2 : 1;
}

function sortBy(value: unknown, property: unknown, prepare: (key: unknown) => unknown): unknown[] {
  const keyed = toList(value).map((member) => {
    const key = keyOf(member, property);
    // Made once, and not for each comparison.
    return { member, key: prepare(typeof key === 'object' && key !== null ? toText(key) : key) };
  });
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ member }) => member);
}

/** Members that have a property, with a value where one is given. */
function where(value: unknown, property: unknown, expected?: unknown): unknown[] {
  const wanted = plain(expected);
  return toList(value).filter((member) => {
    const found = readPath(member, toText(property));
    return expected === undefined ? found !== undefined && found !== null && found !== false : found === wanted;
  });
}

function uniq(value: unknown, property?: unknown): unknown[] {
  const seen = new Set<string>();
  return toList(value).filter((member) => {
    const key = JSON.stringify(keyOf(member, property)) ?? '';
    return seen.has(key) ? false : seen.add(key);
  });
}

function size(value: unknown): number {
  const given = plain(value);
  if (typeof given === 'string') return [...given].length;
  if (Array.isArray(given)) return given.length;
  return typeof given === 'object' && given !== null ? Object.keys(given).length : 0;
}

/** The other value for one that is missing, and for `false` unless that is allowed. */
function orDefault(value: unknown, otherwise: unknown, ...options: [string, unknown][]): unknown {
  const isAllowed = options.some(([name, isSet]) => name === 'allow_false' && isSet === true);
  return isMissing(value) || (plain(value) === false && !isAllowed) ? plain(otherwise) : value;
}

export const LIST_FILTERS = {
  default: orDefault,
  join,
  first: (value: unknown) => toList(value)[0],
  last: (value: unknown) => toList(value).at(-1),
  size,
  sort: (value: unknown, property?: unknown) => sortBy(value, property, (key) => key),
  sort_natural: (value: unknown, property?: unknown) => sortBy(value, property, (key) => toText(key).toLowerCase()),
  map: (value: unknown, property: unknown) => toList(value).map((member) => readPath(member, toText(property))),
  where,
  uniq,
  reverse: (value: unknown) => [...toList(value)].reverse(),
  compact: (value: unknown) => toList(value).filter((member) => plain(member) !== undefined && plain(member) !== null),
  concat: (value: unknown, other: unknown) => boundedList([...toList(value), ...toList(other)]),
  sum: (value: unknown, property?: unknown) =>
    toList(value).reduce<number>((sum, member) => sum + toNumber(keyOf(member, property)), 0),
};
