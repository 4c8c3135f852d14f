import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useReducedMotion } from '@mantine/hooks';
import type { RevenueReport } from '../../../client/index.ts';
import { money } from '../../components/money.ts';

const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** Net revenue over time in the currency of the most orders; the file beside it has the same numbers, for those who can't see it. */
export function RevenueChart({ report: { totals, intervals, interval } }: { report: RevenueReport }) {
  const isStill = useReducedMotion();
  const currency = totals.revenue[0]?.currency ?? null;
  const format = interval === 'month' ? month : day;
  const data = intervals.map(({ start, revenue }) => ({
    at: format.format(new Date(start)),
    net: Number(revenue.find((one) => one.currency === currency)?.net_amount ?? 0),
  }));
  const words = currency === null ? 'Net revenue' : `Net revenue in ${currency}`;
  return (
    <BarChart
      h={220}
      // What is said of a bar stays where it was when the window becomes narrower.
      style={{ overflowX: 'clip' }}
      data={data}
      dataKey="at"
      withLegend={totals.revenue.length > 1}
      series={[{ name: 'net', label: words, color: 'indigo.6' }]}
      valueFormatter={(value) => money(value, currency)}
      yAxisProps={{ tickFormatter: (value: number) => compact.format(value), width: 56 }}
      xAxisProps={{ minTickGap: 24 }}
      barProps={{ isAnimationActive: !isStill }}
      maxBarWidth={36}
      tickLine="none"
      aria-label={`${words} by ${interval}`}
      role="figure"
    />
  );
}
