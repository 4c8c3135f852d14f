import type { Name } from './comparison.ts';

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
