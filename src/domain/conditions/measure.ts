import type { Name } from './comparison.ts';
import type { Did, NumberComparison } from './condition.ts';

/** What is worked out of the numbers in a property of events; of its values, how many different ones there are. */
export const MEASURES_OF_PROPERTY = ['sum', 'average', 'minimum', 'maximum', 'distinct'] as const;
export type MeasureOfProperty = (typeof MEASURES_OF_PROPERTY)[number];

/** What events come to. Averages and extremes are undefined where there is no number. */
export type Measure =
  | { of: 'count' }
  | { of: MeasureOfProperty; property: Name }
  /** Days on which there was one, in a time zone; by default UTC. */
  | { of: 'days'; time_zone?: string };

export const COUNT: Measure = { of: 'count' };

/** What a condition works out, and how that must compare. Undefined for how often, as `at_least` and `at_most` say. */
export function measuredIn(did: Did): { measure: Measure; bound: NumberComparison } | undefined {
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
