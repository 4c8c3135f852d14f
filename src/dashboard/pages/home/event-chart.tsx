import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useReducedMotion } from '@mantine/hooks';
import type { EventStats } from '../../../client/index.ts';
import { count } from '../../components/numbers.ts';
import { type Interval, inIntervals } from '../../range/in-intervals.ts';
import { seriesOf } from './series.ts';

const LABELS: Record<Interval, Intl.DateTimeFormatOptions> = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
};
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** Counts over time, stacked by type. The same numbers are in the table of types, for those who can't see it. */
export function EventChart({ stats, interval }: { stats: EventStats; interval: Interval }) {
  const isStill = useReducedMotion();
  const { starts, sums } = inIntervals(stats, interval);
  const series = seriesOf(stats).map((one) => ({ ...one, counts: sums(one.counts) }));
  const format = new Intl.DateTimeFormat(undefined, { ...LABELS[interval], timeZone: stats.time_zone });
  // By number, because a name is free text, which the chart would take for a path into the data.
  const data = starts.map((start, index) => ({
    at: format.format(new Date(start)),
    ...Object.fromEntries(series.map(({ counts }, number) => [`s${number}`, counts[index] ?? 0])),
  }));
  return (
    <BarChart
      h={300}
      // What is said of a bar stays where it was when the window becomes narrower.
      style={{ overflowX: 'clip' }}
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
      aria-label={`Events by ${interval}, stacked by type`}
      role="figure"
    />
  );
}
