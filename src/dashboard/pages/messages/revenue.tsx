import { Text } from '@mantine/core';
import type { AttributedRevenue, AttributionRule } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { durationWords } from '../../components/durations.ts';
import { money } from '../../components/money.ts';
import { count } from '../../components/numbers.ts';

/** Of all currencies, which are not added. */
export function moneyOf(revenue: readonly AttributedRevenue[]): string {
  return revenue.map(({ amount, currency }) => money(amount, currency)).join(', ');
}

const COLUMNS: readonly Column<AttributedRevenue>[] = [
  { header: 'Currency', isWholeLine: true, render: ({ currency }) => currency ?? 'Not given' },
  { header: 'Orders', width: 100, align: 'right', render: ({ order_count }) => count(order_count) },
  {
    header: 'Refunded',
    width: 140,
    align: 'right',
    render: ({ refunded_amount, currency }) => money(refunded_amount, currency),
  },
  { header: 'Revenue', width: 140, align: 'right', render: ({ amount, currency }) => money(amount, currency) },
];

/** What messages led to, by currency, with the rule by which they did. */
export function Revenue({ revenue }: { revenue: readonly AttributedRevenue[] }) {
  return (
    <>
      {revenue.length > 0 && (
        <DataTable
          label="Revenue"
          columns={COLUMNS}
          rows={revenue}
          rowKey={({ currency }) => currency ?? ''}
          minWidth={480}
        />
      )}
      <Rule isNothing={revenue.length === 0} />
    </>
  );
}

/** In one sentence, the rule that holds for orders from now on. */
export function Rule({ isNothing }: { isNothing: boolean }) {
  const { data } = useOperation('getMessageSettings', {});
  return (
    <Text size="sm" c="dimmed">
      {isNothing && 'No order was credited. '}
      {data && sentenceOf(data.attribution)}
    </Text>
  );
}

function sentenceOf({ click_window, open_window }: AttributionRule): string {
  const clicks = `An order is credited to the last message whose link its customer followed in the ${durationWords(click_window)} before it`;
  if (open_window === null) return `${clicks}.`;
  return `${clicks}, or else to the last that they opened in the ${durationWords(open_window)} before it.`;
}
