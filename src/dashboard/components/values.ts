/** One value that a definition compares with. A number that is not filled in is `NaN`, which is `null` as JSON. */
export type One = string | number | boolean;

export const TYPES = { text: 'a text', number: 'a number', boolean: 'yes or no' } as const;
export type Type = keyof typeof TYPES;

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

export function typeOf(value: unknown): Type {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text';
}

/** `NaN` for what is none. */
export function toNumber(value: One): number {
  if (typeof value === 'boolean') return Number.NaN;
  const number = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : Number.NaN;
}

/** Whether a value was typed, and is not the empty field of its type. */
export function isFilled(value: One | undefined): value is One {
  return value !== undefined && value !== '' && !Number.isNaN(value);
}

/** A value as another type: a text that is no number is one that is not filled in. */
export function asType(value: One = '', type: Type): One {
  if (type === 'boolean') return value === true || value === 'true';
  if (type === 'number') return toNumber(value);
  return Number.isNaN(value) ? '' : String(value);
}

/** Reads a number that is not filled in, which JSON has as `null`, as one again; for `JSON.parse`. */
export function reviveMissing(this: object, name: string, value: unknown): unknown {
  const isNumber = name === 'value' ? 'op' in this : name === 'at_least' || name === 'at_most';
  return isNumber && value === null ? Number.NaN : value;
}

/** What somebody types as a value of a list; undefined if it is none of that type. */
export function fromTag(text: string, type: Type): One | undefined {
  if (type === 'boolean') return BOOLEANS.get(text.trim().toLowerCase());
  if (type === 'text') return text;
  const number = toNumber(text);
  return Number.isNaN(number) ? undefined : number;
}
