import { Group } from '@mantine/core';
import type { EventStats } from '../../../client/index.ts';
import { Figure } from '../../components/figure.tsx';
import { count } from '../../components/numbers.ts';
import { changeOf } from '../../range/change.ts';
import { type Interval, inIntervals } from '../../range/in-intervals.ts';
import type { Before } from './use-stats.ts';

/** The numbers that one looks for first. */
export function Totals({
  stats,
  interval,
  range,
  before,
}: {
  stats: EventStats;
  interval: Interval;
  range: string;
  before: Before | undefined;
}) {
  const { sums } = inIntervals(stats, interval);
  const totals = sums(
    stats.buckets.map((_, index) => stats.series.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0)),
  );
  return (
    <Group gap={40} component="dl" m={0} style={{ rowGap: 12 }}>
      <Figure label={`Events: ${range}`} value={count(stats.total)} />
      {before && <Figure label={`Before: ${before.label}`} value={changeOf(stats.total, before.total)} />}
      <Figure label="On average" value={averageOf(totals, interval)} />
      <Figure label="Event types" value={typesIn(stats)} />
    </Group>
  );
}

/** Of whole intervals since the first event: not of the time before there was one, nor of the interval under way. */
function averageOf(totals: number[], interval: Interval): string {
  const first = totals.findIndex((total) => total > 0);
  const whole = totals.slice(first + 1, -1);
  if (first < 0 || whole.length === 0) return '—';
  const average = whole.reduce((sum, total) => sum + total, 0) / whole.length;
  return `${count(Math.round(average))} / ${interval}`;
}

/** Beyond a number of types, the service answers all others together. */
function typesIn({ series }: EventStats): string {
  const named = series.filter(({ event_type }) => event_type !== null).length;
  return named === series.length ? count(named) : `more than ${count(named)}`;
}
