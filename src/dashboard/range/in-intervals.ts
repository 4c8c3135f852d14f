import type { EventStats } from '../../client/index.ts';
import { dayIn, startOfMonth, startOfWeek } from './days.ts';

export type Interval = 'hour' | 'day' | 'week' | 'month';

/** Puts counts of hours or days together by what a chart is divided into; the first and the last one may be cut. */
export function inIntervals(
  { buckets, time_zone }: Pick<EventStats, 'buckets' | 'time_zone'>,
  interval: Interval,
): { starts: string[]; sums: (counts: readonly number[]) => number[] } {
  const keys = buckets.map((bucket) => {
    if (interval === 'hour' || interval === 'day') return bucket;
    const day = dayIn(time_zone, Date.parse(bucket));
    return interval === 'week' ? startOfWeek(day) : startOfMonth(day);
  });
  const places = new Map([...new Set(keys)].map((key, place) => [key, place]));
  const starts: string[] = [];
  for (const [index, key] of keys.entries()) starts[places.get(key) as number] ??= buckets[index] as string;
  const sums = (counts: readonly number[]) => {
    const all = new Array<number>(starts.length).fill(0);
    for (const [index, key] of keys.entries()) {
      const place = places.get(key) as number;
      all[place] = (all[place] as number) + (counts[index] ?? 0);
    }
    return all;
  };
  return { starts, sums };
}
