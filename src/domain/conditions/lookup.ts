import type { Name } from './comparison.ts';

const POSITION = /^(?:0|[1-9]\d{0,5})$/;

/** Whether a name is that of an item in a list: `0` is the first one. */
export function isPosition(name: string): boolean {
  return POSITION.test(name);
}

/**
 * The value under a name, or at the end of a path, which may lead through lists; undefined if there is none. Null stands for
 * no value, as it does in attributes.
 */
export function lookUp(root: unknown, name: Name): unknown {
  let value = root;
  for (const key of typeof name === 'string' ? [name] : name) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    if (Array.isArray(value) && !isPosition(key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value ?? undefined;
}

/** The part of a path that leads to the first list on its way; undefined if it leads through objects only. */
export function pathToList(root: unknown, path: readonly string[]): string[] | undefined {
  const length = path.findIndex((_, i) => Array.isArray(lookUp(root, path.slice(0, i))));
  return length < 0 ? undefined : path.slice(0, length);
}
