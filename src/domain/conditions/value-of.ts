import type { Operator } from './comparison.ts';
import type { ValueOfEvents } from './condition.ts';
import type { Measure } from './measure.ts';

/** Those that compare with another value: one, and no list. */
export const OPERATORS_OF_VALUES: ReadonlySet<Operator> = new Set([
  ...(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains', 'starts_with', 'ends_with', 'before', 'after'] as const),
]);

export function measureOf({ measure, property = '', time_zone }: ValueOfEvents): Measure {
  if (measure === 'count' || measure === 'first' || measure === 'last') return { of: measure };
  if (measure === 'days') return { of: measure, ...(time_zone !== undefined && { time_zone }) };
  return { of: measure, property };
}

/** Lists and objects are nothing to compare with, nor are numbers that are beyond all others. */
export function isComparable(value: unknown): value is string | number | boolean {
  return typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' || typeof value === 'boolean';
}
