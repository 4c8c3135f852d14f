import { Anchor, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { CurrencyRevenue, RevenueReport } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { money } from '../../components/money.ts';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { useFilters } from '../../use-filters.ts';

const REFRESH_MS = 60_000;
const DAY_MS = 86_400_000;
const RANGES = [
  { value: '1', label: 'Today' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 12 months' },
];
const COMPARISONS = [
  { value: 'previous_period', label: 'Period before' },
  { value: 'previous_year', label: 'Year before' },
] as const;

const percent = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});

/** What the store earned in the range of the address, against the period or the year before; to the same hour. */
export function Earnings() {
  const [{ days: asked, against }, change] = useFilters(['days', 'against']);
  const days = RANGES.some(({ value }) => value === asked) ? Number(asked) : 30;
  const compare = against === 'previous_year' ? against : 'previous_period';
  const today = useOperation('getRevenue', { interval: 'month' }, { staleTime: REFRESH_MS }).data?.to;
  const from = today && new Date(Date.parse(today) - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const query = useOperation(
    'getRevenue',
    { interval: 'month', compare, ...(from && { from, to: today }) },
    { refetchInterval: REFRESH_MS, enabled: from !== undefined },
  );
  return (
    <Section
      title="Revenue"
      actions={
        <Group gap="xs">
          <NativeSelect
            aria-label="Range"
            size="xs"
            data={RANGES}
            value={String(days)}
            onChange={({ currentTarget }) => change({ days: currentTarget.value })}
          />
          <NativeSelect
            aria-label="Compared with"
            size="xs"
            data={[...COMPARISONS]}
            value={compare}
            onChange={({ currentTarget }) => change({ against: currentTarget.value })}
          />
          <Anchor component={Link} to="/orders" size="sm">
            All orders
          </Anchor>
        </Group>
      }
    >
      <Loaded query={query}>{(report) => <Report report={report} />}</Loaded>
    </Section>
  );
}

function Report({ report: { totals, comparison, is_complete } }: { report: RevenueReport }) {
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
      {orders === 0 && <Text size="sm">No orders, neither in this range nor in the one before.</Text>}
      {revenue.map((sums) => (
        <OfCurrency
          key={sums.currency}
          sums={sums}
          before={before?.revenue.find(({ currency }) => currency === sums.currency)}
        />
      ))}
      <Group gap="16px 40px" component="dl" m={0}>
        <Figure
          label="New customers"
          value={count(totals.new_customer_count)}
          change={changeOf(totals.new_customer_count, before?.new_customer_count)}
        />
        <Figure
          label="Returning customers"
          value={count(totals.returning_customer_count)}
          change={changeOf(totals.returning_customer_count, before?.returning_customer_count)}
        />
      </Group>
    </Stack>
  );
}

function OfCurrency({ sums, before }: { sums: CurrencyRevenue; before: CurrencyRevenue | undefined }) {
  const { currency } = sums;
  const amount = (part: 'net_amount' | 'gross_amount' | 'refunded_amount' | 'average_amount') => ({
    value: money(sums[part] ?? '0', currency),
    change: changeOf(Number(sums[part] ?? 0), before && Number(before[part] ?? 0)),
  });
  return (
    <Group gap="16px 40px" component="dl" m={0}>
      <Figure label="Net revenue" {...amount('net_amount')} />
      <Figure label="Gross revenue" {...amount('gross_amount')} />
      <Figure label="Refunds" {...amount('refunded_amount')} />
      <Figure label="Orders" value={count(sums.order_count)} change={changeOf(sums.order_count, before?.order_count)} />
      <Figure label="Average order" {...amount('average_amount')} />
    </Group>
  );
}

/** In percent; nothing where there is nothing to compare with. */
function changeOf(now: number, before: number | undefined): string | undefined {
  return before ? percent.format(now / before - 1) : undefined;
}

function Figure({ label, value, change }: { label: string; value: string; change: string | undefined }) {
  return (
    <Stack gap={0}>
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Text component="dd" m={0} fz={22} fw={650} lh={1.25} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {value}
      </Text>
      <Text component="dd" m={0} size="xs" c="dimmed">
        {change ?? 'nothing to compare with'}
      </Text>
    </Stack>
  );
}
