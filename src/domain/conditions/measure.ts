import type { Name, NumberComparison } from './comparison.ts';

/** What is worked out of the numbers in a property of events; of its values, how many different ones there are. */
export const MEASURES_OF_PROPERTY = ['sum', 'average', 'minimum', 'maximum', 'distinct'] as const;
export type MeasureOfProperty = (typeof MEASURES_OF_PROPERTY)[number];

/** What is worked out of events as a value to compare with: of a property, but for the first two. */
export const VALUE_MEASURES = ['count', 'days', ...MEASURES_OF_PROPERTY, 'first', 'last'] as const;
export type ValueMeasure = (typeof VALUE_MEASURES)[number];

/** What events come to. Averages and extremes are undefined where there is no number. */
export type Measure =
  | { of: 'count' }
  | { of: MeasureOfProperty; property: Name }
  /** Days on which there was one, in a time zone; by default UTC. */
  | { of: 'days'; time_zone?: string }
  /** The event itself that was the first or the last; its time, as a number. */
  | { of: 'first' | 'last' }
  /** When they were. */
  | { of: 'times' };

/** What a condition may compare of events; one of these. */
export interface Measured {
  count?: NumberComparison;
  /** Of the numbers in a property: other values of it add nothing, and without any the last three are not there. */
  sum?: MeasuredProperty;
  average?: MeasuredProperty;
  minimum?: MeasuredProperty;
  maximum?: MeasuredProperty;
  /** How many different texts, numbers and truth values are in a property. */
  distinct?: MeasuredProperty;
  /** On how many days of a time zone, by default UTC. */
  days?: NumberComparison & { time_zone?: string };
}

export type MeasuredProperty = NumberComparison & { property: Name };

export const COUNT: Measure = { of: 'count' };

/** What a condition works out, and how that must compare. Undefined for how often, as `at_least` and `at_most` say. */
export function measuredIn(did: Measured): { measure: Measure; bound: NumberComparison } | undefined {
  for (const of of MEASURES_OF_PROPERTY) {
    const given = did[of];
    if (given) return { measure: { of, property: given.property }, bound: { op: given.op, value: given.value } };
  }
  const { days, count } = did;
  if (days) {
    const { op, value, time_zone } = days;
    return { measure: { of: 'days', ...(time_zone !== undefined && { time_zone }) }, bound: { op, value } };
  }
  return count && { measure: COUNT, bound: { op: count.op, value: count.value } };
}
