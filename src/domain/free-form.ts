import type { Violation } from './errors.ts';
import { Unstorable } from './unstorable.ts';

/** Deepest nesting, the outermost object included. */
const MAX_DEPTH = 10;
/** Bytes of UTF-8. */
const MAX_STRING_BYTES = 100 * 1024;

/** The first thing in free-form data that can't be stored and returned as it is; paths start at `value`. */
export function checkFreeForm(value: object, path: Violation['path'] = [], depth = 1): Violation | undefined {
  if (value instanceof Unstorable) return { path, problem: value.problem };
  if (depth > MAX_DEPTH) return { path, problem: `is nested deeper than ${MAX_DEPTH} levels` };
  for (const key of Object.keys(value)) {
    const item: unknown = (value as Record<string, unknown>)[key];
    if (typeof item === 'string') {
      // A string of n UTF-16 units has at most 3n bytes: most need no counting.
      if (item.length * 3 > MAX_STRING_BYTES && Buffer.byteLength(item) > MAX_STRING_BYTES) {
        return { path: [...path, step(value, key)], problem: 'is longer than 100 KB' };
      }
    } else if (typeof item === 'object' && item !== null) {
      const violation = checkFreeForm(item, [...path, step(value, key)], depth + 1);
      if (violation) return violation;
    }
  }
  return undefined;
}

function step(parent: object, key: string): string | number {
  return Array.isArray(parent) ? Number(key) : key;
}
