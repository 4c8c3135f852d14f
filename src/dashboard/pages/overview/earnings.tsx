import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { CurrencyRevenue, RevenueReport } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Figure } from '../../components/figure.tsx';
import { money } from '../../components/money.ts';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { percentOf } from '../../range/change.ts';
import type { ShownRange } from '../../range/use-range.ts';

const REFRESH_MS = 60_000;

/** What the store earned in a range and, where it has a comparison, before; to the same hour. */
export function Earnings({ range: { first, last, comparison } }: { range: ShownRange }) {
  const query = useOperation(
    'getRevenue',
    { interval: 'month', from: first, to: last, ...(comparison !== 'none' && { compare: comparison }) },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Section
      title="Revenue"
      actions={
        <Anchor component={Link} to="/orders" size="sm">
          All orders
        </Anchor>
      }
    >
      <Loaded query={query}>{(report) => <Report report={report} />}</Loaded>
    </Section>
  );
}

function Report({ report: { totals, comparison, is_complete, is_estimated } }: { report: RevenueReport }) {
  const before = comparison?.totals;
  const { revenue } = totals;
  const orders = revenue.length + (before?.revenue.length ?? 0);
  return (
    <Stack gap="md">
      {!is_complete && (
        <Text size="sm" role="status">
          Former orders are still being read: the sums are not complete yet.
        </Text>
      )}
      {orders === 0 && (
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
      <Group gap="16px 40px" component="dl" m={0}>
        <Figure
          label="New customers"
          value={count(totals.new_customer_count)}
          change={before && changeOf(totals.new_customer_count, before.new_customer_count)}
        />
        <Figure
          label={is_estimated ? 'Returning customers, estimated' : 'Returning customers'}
          value={count(totals.returning_customer_count)}
          change={before && changeOf(totals.returning_customer_count, before.returning_customer_count)}
        />
      </Group>
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
  const change = (now: number, then: number | undefined) => (isCompared ? changeOf(now, then) : undefined);
  const amount = (part: 'net_amount' | 'gross_amount' | 'refunded_amount' | 'average_amount') => ({
    value: money(sums[part] ?? '0', currency),
    change: change(Number(sums[part] ?? 0), before && Number(before[part] ?? 0)),
  });
  return (
    <Group gap="16px 40px" component="dl" m={0}>
      <Figure label="Net revenue" {...amount('net_amount')} />
      <Figure label="Gross revenue" {...amount('gross_amount')} />
      <Figure label="Refunds" {...amount('refunded_amount')} />
      <Figure label="Orders" value={count(sums.order_count)} change={change(sums.order_count, before?.order_count)} />
      <Figure label="Average order" {...amount('average_amount')} />
    </Group>
  );
}

/** In percent, where there was something before. */
function changeOf(now: number, before: number | undefined): string {
  return percentOf(now, before ?? 0) ?? 'nothing to compare with';
}
