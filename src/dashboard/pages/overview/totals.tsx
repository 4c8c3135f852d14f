import { Group, Stack, Text } from '@mantine/core';
import type { EventStats } from '../../../client/index.ts';
import { count } from '../../components/numbers.ts';

/** The numbers that one looks for first. */
export function Totals({ stats, range }: { stats: EventStats; range: string }) {
  const latest = stats.series.reduce((sum, { counts }) => sum + (counts.at(-1) ?? 0), 0);
  return (
    <Group gap={40} component="dl" m={0}>
      <Figure label={`In the last ${range}`} value={count(stats.total)} />
      <Figure label={LATEST[stats.interval]} value={count(latest)} />
      <Figure label="On average" value={averageOf(stats)} />
      <Figure label="Event types" value={typesIn(stats)} />
    </Group>
  );
}

/** Of whole intervals since the first event: not of the time before there was one, nor of the interval under way. */
function averageOf({ series, buckets, interval }: EventStats): string {
  const totals = buckets.map((_, index) => series.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0));
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

const LATEST = { hour: 'This hour', day: 'Today', week: 'This week', month: 'This month' };

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <Stack gap={0}>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz={26} fw={650} lh={1.25} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
    </Stack>
  );
}
