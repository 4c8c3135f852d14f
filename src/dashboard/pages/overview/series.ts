import type { EventStats } from '../../../client/index.ts';

/** One colour for each type that is told apart, of about the same weight on light and on dark. */
const COLORS = ['indigo.6', 'teal.6', 'orange.6', 'grape.6', 'cyan.7', 'pink.6'];
const OTHERS = { name: 'Other types', color: 'gray.6' };

export interface Series {
  name: string;
  color: string;
  total: number;
  counts: number[];
}

/** The most frequent types by themselves, all others as one. */
export function seriesOf({ series, buckets }: Pick<EventStats, 'series' | 'buckets'>): Series[] {
  const named = series.filter(({ event_type }) => event_type !== null).slice(0, COLORS.length);
  const rest = series.filter((one) => !named.includes(one));
  const shown = named.map(({ event_type, total, counts }, index) => ({
    name: event_type as string,
    color: COLORS[index] as string,
    total,
    counts,
  }));
  if (rest.length === 0) return shown;
  const counts = buckets.map((_, index) => rest.reduce((sum, one) => sum + (one.counts[index] ?? 0), 0));
  return [...shown, { ...OTHERS, total: rest.reduce((sum, { total }) => sum + total, 0), counts }];
}
