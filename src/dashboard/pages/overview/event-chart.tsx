import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useReducedMotion } from '@mantine/hooks';
import type { EventStats } from '../../../client/index.ts';
import { count } from '../../components/numbers.ts';
import { seriesOf } from './series.ts';

const LABELS: Record<EventStats['interval'], Intl.DateTimeFormatOptions> = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
};
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** Counts over time, stacked by type. The same numbers are in the table of types, for those who can't see it. */
export function EventChart({ stats }: { stats: EventStats }) {
  const isStill = useReducedMotion();
  const series = seriesOf(stats);
  const format = new Intl.DateTimeFormat(undefined, { ...LABELS[stats.interval], timeZone: stats.time_zone });
  // By number, because a name is free text, which the chart would take for a path into the data.
  const data = stats.buckets.map((bucket, index) => ({
    at: format.format(new Date(bucket)),
    ...Object.fromEntries(series.map(({ counts }, number) => [`s${number}`, counts[index] ?? 0])),
  }));
  return (
    <BarChart
      h={300}
      data={data}
      dataKey="at"
      type="stacked"
      series={series.map(({ name, color }, number) => ({ name: `s${number}`, label: name, color }))}
      withLegend
      legendProps={{ verticalAlign: 'bottom' }}
      valueFormatter={count}
      yAxisProps={{ tickFormatter: (value: number) => compact.format(value), allowDecimals: false, width: 44 }}
      xAxisProps={{ minTickGap: 24 }}
      barProps={{ isAnimationActive: !isStill, animationDuration: 300 }}
      maxBarWidth={36}
      tickLine="none"
      aria-label={`Events by ${stats.interval}, stacked by type`}
      role="figure"
    />
  );
}
