import { Group, List, Stack, Text } from '@mantine/core';
import { PackageDependentsIcon } from '@primer/octicons-react';
import type { CustomersReport, LifetimeValue, OrderCountBucket } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { plural, secondsWords } from '../../components/durations.ts';
import { Figure } from '../../components/figure.tsx';
import { roundedMoney } from '../../components/money.ts';
import { count, share } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Bar } from './bar.tsx';
import { ReportNotes } from './notes.tsx';

/** How often customers order, and what they have paid. */
export function Customers() {
  const query = useOperation('getCustomersReport', {}, { staleTime: 60_000 });
  return (
    <Page
      title="Customers"
      description="How many customers order again, after how long, and what they have paid up to now."
    >
      <Loaded query={query}>
        {(report) =>
          report.profile_count === 0 ? (
            <Empty
              icon={<PackageDependentsIcon size={24} />}
              title="Nobody has ordered yet"
              description="Orders are made of events such as placed_order: see the guide to orders."
            />
          ) : (
            <>
              <InBrief report={report} />
              <Distribution report={report} />
              <Values report={report} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

const hundredths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

function InBrief({ report }: { report: CustomersReport }) {
  const {
    profile_count,
    repeat_rate,
    repeat_profile_count,
    orders_per_profile,
    seconds_between_orders: between,
  } = report;
  return (
    <Section title="In brief">
      <ReportNotes report={report} />
      <Group gap="16px 40px" align="flex-start" component="dl" m={0}>
        <Figure label="Customers who have ordered" value={count(profile_count)} />
        <Figure
          label="Repeat rate"
          value={share(repeat_rate ?? 0, 1)}
          change={`${count(repeat_profile_count)} ordered more than once`}
        />
        <Figure label="Orders of a customer" value={hundredths.format(orders_per_profile ?? 0)} />
        {between && (
          <Figure
            label="Time to the next order (median)"
            value={secondsWords(between.median)}
            change={`a quarter within ${secondsWords(between.lower_quartile)}, three quarters within ${secondsWords(between.upper_quartile)}`}
          />
        )}
      </Group>
    </Section>
  );
}

function bucketWords({ from, to }: OrderCountBucket): string {
  if (to === null) return `${count(from)} orders or more`;
  if (from !== to) return `${count(from)} to ${count(to)} orders`;
  return plural(from, 'order');
}

function Distribution({ report: { distribution, profile_count } }: { report: CustomersReport }) {
  const file = {
    name: 'orders-per-customer.csv',
    header: ['from', 'to', 'profile_count'],
    async *rows() {
      for (const { from, to, profile_count } of distribution) yield [from, to, profile_count];
    },
  };
  return (
    <Section title="Orders per customer" actions={<CsvButton file={file} />}>
      <List
        aria-label="Orders per customer"
        listStyleType="none"
        spacing="sm"
        styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
      >
        {distribution.map((bucket) => (
          <List.Item key={bucket.from}>
            <Stack gap={4}>
              <Text size="sm">
                {bucketWords(bucket)}: {plural(bucket.profile_count, 'customer')} (
                {share(bucket.profile_count, profile_count)})
              </Text>
              <Bar share={bucket.profile_count / profile_count} />
            </Stack>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

const COLUMNS: readonly Column<LifetimeValue>[] = [
  { header: 'Currency', isWholeLine: true, render: ({ currency }) => currency ?? 'None' },
  { header: 'Customers', align: 'right', render: ({ profile_count }) => count(profile_count) },
  {
    header: 'Average',
    align: 'right',
    render: ({ average_amount, currency }) => roundedMoney(average_amount, currency),
  },
  { header: 'Median', align: 'right', render: ({ median_amount, currency }) => roundedMoney(median_amount, currency) },
];

function Values({ report: { lifetime_values, is_cut } }: { report: CustomersReport }) {
  const file = {
    name: 'lifetime-values.csv',
    header: ['currency', 'profile_count', 'average_amount', 'median_amount'],
    async *rows() {
      for (const { currency, profile_count, average_amount, median_amount } of lifetime_values)
        yield [currency, profile_count, average_amount, median_amount];
    },
  };
  return (
    <Section title="What a customer has paid" actions={<CsvButton file={file} />}>
      <Text size="sm" c="dimmed">
        Up to now, less refunds.{is_cut && ' There are more currencies than are shown.'}
      </Text>
      <DataTable
        label="What a customer has paid"
        file={null}
        columns={COLUMNS}
        rows={lifetime_values}
        rowKey={({ currency }) => currency ?? ''}
      />
    </Section>
  );
}
