import { problemOfUnstorable } from './lossless-json.ts';
import type { Violation } from './service-error.ts';

/** Maximum nesting depth, including the outermost object. */
const MAX_DEPTH = 10;
/** Bytes of UTF-8. */
const MAX_STRING_BYTES = 100 * 1024;

/**
 * Returns the first part of free-form data that can't be stored and returned unchanged; its path is relative to
 * `value`.
 */
export function checkFreeForm(value: object): Violation | undefined {
  return checkObject(value, 1);
}

function checkObject(value: object, depth: number): Violation | undefined {
  if (depth > MAX_DEPTH) return { path: [], problem: `is nested deeper than ${MAX_DEPTH} levels` };
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const violation = checkItem(value[i], i, depth);
      if (violation) return violation;
    }
  } else {
    // Parsed JSON has only own properties. Listing the keys first would allocate memory for each object.
    for (const key in value) {
      const violation = checkItem((value as Record<string, unknown>)[key], key, depth);
      if (violation) return violation;
    }
  }
  return undefined;
}

/** `step` leads from the object or the list to the item. */
function checkItem(item: unknown, step: string | number, depth: number): Violation | undefined {
  if (typeof item === 'string') {
    // A string of n UTF-16 units has at most 3n bytes: most need no counting.
    if (item.length * 3 <= MAX_STRING_BYTES || Buffer.byteLength(item) <= MAX_STRING_BYTES) return undefined;
    return { path: [step], problem: 'is longer than 100 KB' };
  }
  if (typeof item !== 'object' || item === null) {
    const problem = problemOfUnstorable(item);
    return problem === undefined ? undefined : { path: [step], problem };
  }
  const violation = checkObject(item, depth + 1);
  return violation && { path: [step, ...violation.path], problem: violation.problem };
}
