import { isAscii } from '../canonical/text.ts';
import type { Scalar } from './comparison.ts';
import type { Condition, PropertyLeaf } from './condition.ts';

/** What a property of an event must be, as text, for a condition to hold. */
export interface RequiredValue {
  property: string;
  texts: readonly string[];
  /** Whether any other number may do too that is written with a fraction or an exponent. */
  orNumber: boolean;
}

/**
 * Finds a property that must have one of a few values for a condition to hold, which is easy to tell of an event that is
 * stored as JSON; undefined if there is none. Whether the condition then holds is another question.
 */
export function requiredValue(condition: Condition): RequiredValue | undefined {
  if ('all' in condition) {
    for (const part of condition.all) {
      const required = requiredValue(part);
      if (required) return required;
    }
    return undefined;
  }
  return 'property' in condition ? ofLeaf(condition) : undefined;
}

function ofLeaf({ property, op, value, value_of, ignore_case }: PropertyLeaf): RequiredValue | undefined {
  const name = typeof property === 'string' ? property : property.length === 1 ? property[0] : undefined;
  if (name === undefined || !isStorable(name) || ignore_case || value_of || (op !== 'eq' && op !== 'in'))
    return undefined;
  const values = (op === 'eq' ? [value] : value) as readonly Scalar[];
  if (!values.every(isPlain)) return undefined;
  return { property: name, texts: values.flatMap(textsOf), orNumber: values.some((one) => typeof one === 'number') };
}

/** Of accents, and of a number that is so large that others are rounded to it, there are many texts. */
function isPlain(value: Scalar): boolean {
  if (typeof value === 'string') return isAscii(value) && isStorable(value);
  return typeof value === 'boolean' || Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function textsOf(value: Scalar): string[] {
  return value === 0 ? ['0', '-0'] : [String(value)];
}
