import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useReducedMotion } from '@mantine/hooks';
import type { EventTypeReport } from '../../../client/index.ts';
import { count } from '../../components/numbers.ts';

const format = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** The events of each day; the same numbers are in the file that is saved beside it, for those who can't see it. */
export function Trend({ days }: Pick<EventTypeReport, 'days'>) {
  const isStill = useReducedMotion();
  return (
    <BarChart
      h={220}
      data={days.map(({ date, event_count }) => ({ at: format.format(new Date(date)), events: event_count }))}
      dataKey="at"
      series={[{ name: 'events', label: 'Events', color: 'indigo.6' }]}
      valueFormatter={count}
      yAxisProps={{ allowDecimals: false, width: 56 }}
      xAxisProps={{ minTickGap: 24 }}
      barProps={{ isAnimationActive: !isStill }}
      maxBarWidth={36}
      tickLine="none"
      aria-label={`Events from ${days[0]?.date} to ${days.at(-1)?.date}`}
      role="figure"
    />
  );
}
