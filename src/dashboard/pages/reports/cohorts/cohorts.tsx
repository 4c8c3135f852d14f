import { Group, NativeSelect } from '@mantine/core';
import { PackageDependentsIcon } from '@primer/octicons-react';
import type { CohortReport } from '../../../../client/index.ts';
import { useOperation } from '../../../api/operations.ts';
import { CsvButton } from '../../../components/csv-button.tsx';
import { Page } from '../../../components/page.tsx';
import { Section } from '../../../components/section.tsx';
import { Empty, Loaded } from '../../../components/states.tsx';
import { useFilters } from '../../../use-filters.ts';
import { ReportNotes } from '../notes.tsx';
import { CohortTable } from './cohort-table.tsx';
import { MEASURES, type Measure } from './measures.ts';

const MONTHS = ['6', '12', '24', '36', '60'];

/** What customers order in the months after their first order. */
export function Cohorts() {
  const [{ months, currency, measure: given }, setFilters] = useFilters(['months', 'currency', 'measure']);
  const measure = given !== undefined && given in MEASURES ? (given as Measure) : 'share';
  const asked = MONTHS.find((one) => one === months) ?? '12';
  const query = useOperation(
    'getCohorts',
    { months: Number(asked), ...(currency && /^[A-Z]{3}$/.test(currency) && { currency }) },
    { staleTime: 60_000 },
  );
  const isAmount = measure === 'amount';
  return (
    <Page
      title="Cohorts"
      description="What customers order in the months after their first order."
      actions={
        <Group gap="xs">
          <NativeSelect
            aria-label="What is shown"
            size="xs"
            data={Object.entries(MEASURES).map(([value, { label }]) => ({ value, label }))}
            value={measure}
            onChange={({ currentTarget }) => setFilters({ measure: currentTarget.value })}
          />
          <NativeSelect
            aria-label="Months"
            size="xs"
            data={MONTHS.map((value) => ({ value, label: `${value} months` }))}
            value={asked}
            onChange={({ currentTarget }) => setFilters({ months: currentTarget.value })}
          />
          {isAmount && query.data && query.data.currencies.length > 1 && (
            <NativeSelect
              aria-label="Currency"
              size="xs"
              data={query.data.currencies}
              value={query.data.currency ?? ''}
              onChange={({ currentTarget }) => setFilters({ currency: currentTarget.value })}
            />
          )}
        </Group>
      }
    >
      <Loaded query={query}>
        {(report) =>
          report.cohorts.every(({ profile_count }) => profile_count === 0) ? (
            <Empty
              icon={<PackageDependentsIcon size={24} />}
              title="Nobody ordered for the first time in these months"
              description="Orders are made of events such as placed_order: see the guide to orders."
            />
          ) : (
            <Section title={MEASURES[measure].title} actions={<CsvButton file={fileOf(report)} />}>
              <ReportNotes report={report} />
              <CohortTable report={report} measure={measure} />
            </Section>
          )
        }
      </Loaded>
    </Page>
  );
}

function fileOf({ cohorts, currency, from, to }: CohortReport) {
  return {
    name: `cohorts-${from}-${to}.csv`,
    header: ['cohort', 'customers', 'month', 'profile_count', 'share', 'order_count', 'net_amount', 'currency'],
    async *rows() {
      for (const { month: cohort, profile_count: customers, months } of cohorts) {
        for (const [n, { profile_count, share, order_count, net_amount }] of months.entries())
          yield [cohort, customers, n, profile_count, share, order_count, net_amount, currency];
      }
    },
  };
}
