import { Text } from '@mantine/core';
import type { CampaignHoldOut, CampaignHoldOutGroup, CampaignRevenueDifference } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { roundedMoney } from '../../components/money.ts';
import { count, share } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { moneyOf } from '../messages/revenue.tsx';

interface Line extends CampaignHoldOutGroup {
  who: string;
}

const COLUMNS: readonly Column<Line>[] = [
  { header: 'Who', isWholeLine: true, render: ({ who }) => who },
  { header: 'Recipients', width: 120, align: 'right', render: ({ recipient_count: all }) => count(all) },
  {
    header: 'Ordered',
    width: 130,
    align: 'right',
    render: ({ ordered_count: some, recipient_count: all }) => `${count(some)} (${share(some, all)})`,
  },
  { header: 'Orders', width: 100, align: 'right', render: ({ order_count: orders }) => count(orders) },
  { header: 'Revenue', width: 150, align: 'right', render: ({ revenue }) => moneyOf(revenue) || '–' },
  {
    header: 'For each recipient',
    width: 150,
    align: 'right',
    render: ({ revenue }) =>
      revenue.map((one) => roundedMoney(one.amount_per_recipient, one.currency)).join(', ') || '–',
  },
];

/** What whoever was held out ordered, beside the others. */
export function HoldOutResults({ holdOut }: { holdOut: CampaignHoldOut }) {
  const { held_out, others, until, explanation, revenue_differences: differences } = holdOut;
  const lines: Line[] = [
    { ...held_out, who: 'Held out' },
    { ...others, who: 'All others' },
  ];
  return (
    <Section title="What the campaign changed">
      <DataTable label="Held out and others" columns={COLUMNS} rows={lines} rowKey={({ who }) => who} minWidth={760} />
      <Text size="sm" role="status">
        {explanation}
      </Text>
      {differences.map((difference) => (
        <Text key={difference.currency} size="sm">
          {differenceWords(difference)}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        All their orders since it began, whatever led to them, until <Time value={until} />. Among the others are those
        who could not be sent it, too.
      </Text>
    </Section>
  );
}

function differenceWords({
  currency,
  amount_per_recipient: amount,
  low,
  high,
  is_clear,
}: CampaignRevenueDifference): string {
  const more = Number(amount) < 0 ? 'less' : 'more';
  const brought = `Each of the others brought ${roundedMoney(Math.abs(Number(amount)), currency)} ${more}`;
  if (low === null || high === null) return `${brought}: too few have ordered to tell that from chance.`;
  const [from, to] = [low, high].map((end) => roundedMoney(end, currency));
  return `${brought}, with a confidence of 95 % between ${from} and ${to}${is_clear ? '.' : ': it may well be chance.'}`;
}
