import type { Name } from './comparison.ts';

const POSITION = /^(?:0|[1-9]\d{0,5})$/;

/**
 * The value under a name, or at the end of a path; undefined if there is none. Null stands for no value, as it does in
 * attributes. A path leads through objects only.
 */
export function lookUp(root: unknown, name: Name): unknown {
  let value = root;
  for (const key of typeof name === 'string' ? [name] : name) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key)) {
      return undefined;
    }
    value = (value as Record<string, unknown>)[key];
  }
  return value ?? undefined;
}

/** The same, where a path may lead through lists, too: `0` is the first item of one. */
export function lookUpInLists(root: unknown, path: readonly string[]): unknown {
  const list = pathToList(root, path);
  if (list === undefined) return lookUp(root, path);
  const [position = '', ...rest] = path.slice(list.length);
  const items = lookUp(root, list) as unknown[];
  return POSITION.test(position) ? lookUpInLists(items[Number(position)], rest) : undefined;
}

/** The part of a path that leads to the first list on its way; undefined if it leads through objects only. */
export function pathToList(root: unknown, path: readonly string[]): string[] | undefined {
  const length = path.findIndex((_, i) => Array.isArray(lookUp(root, path.slice(0, i))));
  return length < 0 ? undefined : path.slice(0, length);
}
