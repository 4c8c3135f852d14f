import { Anchor, Group, Skeleton, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { CurrencyRevenue, RevenueReport } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { Figure } from '../../components/figure.tsx';
import { money, roundedMoney } from '../../components/money.ts';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { changeIn } from '../../range/change.ts';
import { intervalOf } from '../../range/range.ts';
import type { ShownRange } from '../../range/use-range.ts';

const REFRESH_MS = 60_000;

/** The most of the page's code, so that the numbers are there before it. */
const RevenueChart = lazy(async () => ({ default: (await import('./revenue-chart.tsx')).RevenueChart }));

/** What the store earned in a range and, where it has a comparison, before, to the same hour; nothing of a store without orders. */
export function Earnings({ range }: { range: ShownRange }) {
  const { first, last, compare } = range;
  const interval = intervalOf(range);
  const newest = useOperation('listOrders', { limit: 1 }, { refetchInterval: REFRESH_MS });
  const query = useOperation(
    'getRevenue',
    {
      interval: interval === 'hour' ? 'day' : interval,
      from: first,
      to: last,
      ...(compare && { compare }),
    },
    { refetchInterval: REFRESH_MS },
  );
  if (newest.data?.orders.length === 0) return null;
  return (
    <Section
      title="Revenue"
      actions={
        <Group gap="sm">
          <Anchor component={Link} to="/orders" size="sm">
            All orders
          </Anchor>
          {query.data && <CsvButton file={fileOf(query.data)} />}
        </Group>
      }
    >
      <Loaded query={query} loading={<Skeleton h={360} />}>
        {(report) => <Report report={report} />}
      </Loaded>
    </Section>
  );
}

function Report({ report }: { report: RevenueReport }) {
  const { totals, comparison, is_complete, is_estimated } = report;
  const before = comparison?.totals;
  // Currencies in which there were orders before alone.
  const gone = (before?.revenue ?? []).filter((then) =>
    totals.revenue.every(({ currency }) => currency !== then.currency),
  );
  const revenue = [...totals.revenue, ...gone.map(({ currency }) => ({ ...NOTHING, currency }))];
  const hasOrders = revenue.length > 0;
  return (
    <Stack gap="md">
      {!is_complete && (
        <Text size="sm" role="status">
          Former orders are still being read: the sums are not complete yet.
        </Text>
      )}
      {!hasOrders && (
        <Text size="sm">
          {before ? 'No orders, neither in this range nor in the one before.' : 'No orders in this range.'}
        </Text>
      )}
      {revenue.map((sums) => (
        <OfCurrency
          key={sums.currency}
          sums={sums}
          isCompared={before !== undefined}
          before={before?.revenue.find(({ currency }) => currency === sums.currency)}
        />
      ))}
      {hasOrders && (
        <Group gap="16px 40px" component="dl" m={0}>
          <Figure
            label="New customers"
            value={count(totals.new_customer_count)}
            change={changeIn(totals.new_customer_count, before?.new_customer_count)}
          />
          <Figure
            label={is_estimated ? 'Returning customers, estimated' : 'Returning customers'}
            value={count(totals.returning_customer_count)}
            change={changeIn(totals.returning_customer_count, before?.returning_customer_count)}
          />
        </Group>
      )}
      {totals.revenue.length > 0 && report.intervals.length > 1 && (
        <Suspense fallback={<Skeleton h={220} />}>
          <RevenueChart report={report} />
        </Suspense>
      )}
    </Stack>
  );
}

function OfCurrency({
  sums,
  isCompared,
  before,
}: {
  sums: CurrencyRevenue;
  isCompared: boolean;
  before: CurrencyRevenue | undefined;
}) {
  const { currency } = sums;
  const change = (now: number, then: number) => changeIn(now, isCompared ? then : undefined);
  const amount = (
    part: 'net_amount' | 'gross_amount' | 'refunded_amount' | 'average_amount',
    words = money as typeof roundedMoney,
  ) => ({
    value: words(sums[part] ?? '0', currency),
    change: change(Number(sums[part] ?? 0), Number(before?.[part] ?? 0)),
  });
  return (
    <Group gap="16px 40px" component="dl" m={0}>
      <Figure label={currency ? 'Net revenue' : 'Net revenue, no currency'} {...amount('net_amount')} />
      <Figure label="Gross revenue" {...amount('gross_amount')} />
      <Figure label="Refunds" {...amount('refunded_amount')} />
      <Figure
        label="Orders"
        value={count(sums.order_count)}
        change={change(sums.order_count, before?.order_count ?? 0)}
      />
      <Figure label="Average order" {...amount('average_amount', roundedMoney)} />
    </Group>
  );
}

/** Customers are those of all currencies: once for each interval. */
function fileOf({ intervals, interval, from, to }: RevenueReport) {
  return {
    name: `revenue-${from}-${to}.csv`,
    header: [
      ...[interval, 'currency', 'order_count', 'cancelled_count', 'gross_amount', 'refunded_amount', 'net_amount'],
      ...['average_amount', 'new_customer_count', 'returning_customer_count'],
    ],
    async *rows() {
      for (const { start, revenue, new_customer_count, returning_customer_count } of intervals) {
        for (const [n, one] of (revenue.length === 0 ? [NOTHING] : revenue).entries()) {
          yield [
            ...[start, one.currency, one.order_count, one.cancelled_count, one.gross_amount, one.refunded_amount],
            ...[one.net_amount, one.average_amount],
            ...(n === 0 ? [new_customer_count, returning_customer_count] : [null, null]),
          ];
        }
      }
    },
  };
}

const NOTHING: CurrencyRevenue = {
  ...{ currency: null, order_count: 0, cancelled_count: 0 },
  ...{ gross_amount: '0', refunded_amount: '0', net_amount: '0', average_amount: null },
};
