import type { EventsAsked } from './asked.ts';
import type { Comparison, Name, Operator } from './comparison.ts';
import { MEASURES_OF_PROPERTY, type Measure } from './measure.ts';

/** What is worked out of events as a value to compare with: of a property, but for the first two. */
export const VALUE_MEASURES = ['count', 'days', ...MEASURES_OF_PROPERTY, 'first', 'last'] as const;
export type ValueMeasure = (typeof VALUE_MEASURES)[number];

/** What a customer's events come to, or what the first or the last of them has in a property. */
export interface ValueOfEvents extends EventsAsked {
  measure: ValueMeasure;
  /** Absent for `count` and `days`. */
  property?: Name;
  /** Of `days`; by default UTC. */
  time_zone?: string;
}

/** Another value, found when the condition is evaluated. One of these. */
export interface ValueOf {
  attribute?: Name;
  /** Of the event that triggered; within a filter, of that which is filtered; within `items`, of the item. */
  property?: Name;
  did?: ValueOfEvents;
}

/** A comparison with a value that is given, or with another one: one of the two. */
export type Compared = Comparison & { value_of?: ValueOf };

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
