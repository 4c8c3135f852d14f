import { isDeepStrictEqual } from 'node:util';
import { invalid } from './errors.ts';

/** Free-form attributes of a profile. */
export type Attributes = Record<string, unknown>;

/** A change of attributes, applied in the order of its fields. */
export interface AttributePatch {
  /** Key by key: a value replaces, null removes, what is absent stays. */
  set?: Attributes;
  /** The same one level deeper, for attributes that are objects; one that ends up empty is removed. */
  merge?: Record<string, Attributes>;
  /** Values that a list has to contain; a value that is no list becomes the first of one. */
  append?: Record<string, readonly unknown[]>;
  /** Values that a list must not contain; one that ends up empty stays, as an empty list. */
  unappend?: Record<string, readonly unknown[]>;
  /** Attributes to remove. */
  unset?: readonly string[];
}

/** Attributes that a profile may have. */
const MAX_ATTRIBUTES = 400;
/** Values that a list may be made to have by appending to it. */
const MAX_LIST = 4_000;

/** The attributes after a patch: the old object where nothing changes. Throws `validation_error` where they are too many. */
export function patchAttributes(old: Attributes, patch: AttributePatch): Attributes {
  const attributes = new Map(Object.entries(old));
  assign(attributes, patch.set ?? {});
  for (const [key, changes] of Object.entries(patch.merge ?? {})) {
    const before = attributes.get(key);
    const merged = new Map(Object.entries(isObject(before) ? before : {}));
    assign(merged, changes);
    if (merged.size > 0) attributes.set(key, Object.fromEntries(merged));
    else attributes.delete(key);
  }
  for (const [key, values] of Object.entries(patch.append ?? {})) {
    const list = listOf(attributes.get(key));
    const known = new Set(list.map(canonical));
    for (const value of values) {
      if (known.has(canonical(value))) continue;
      known.add(canonical(value));
      list.push(value);
    }
    if (list.length > MAX_LIST) throw tooMany(['attributes', key], `${MAX_LIST} values`);
    attributes.set(key, list);
  }
  for (const [key, values] of Object.entries(patch.unappend ?? {})) {
    if (!attributes.has(key)) continue;
    const unwanted = new Set(values.map(canonical));
    const list = listOf(attributes.get(key));
    attributes.set(
      key,
      list.filter((item) => !unwanted.has(canonical(item))),
    );
  }
  for (const key of patch.unset ?? []) attributes.delete(key);
  if (attributes.size > MAX_ATTRIBUTES) throw tooMany(['attributes'], `${MAX_ATTRIBUTES} attributes`);
  const patched = Object.fromEntries(attributes);
  return isDeepStrictEqual(patched, old) ? old : patched;
}

function assign(target: Map<string, unknown>, changes: Attributes): void {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) target.delete(key);
    else target.set(key, value);
  }
}

/** The same text for equal values, whatever the order of their names: to compare each with each would be quadratic. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
}

function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? [...value] : [value];
}

function isObject(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function tooMany(path: string[], what: string) {
  return invalid({ path, problem: `would come to have more than ${what}` });
}
