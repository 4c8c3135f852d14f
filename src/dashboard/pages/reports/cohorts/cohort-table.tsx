import { Box } from '@mantine/core';
import type { Cohort, CohortReport } from '../../../../client/index.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { count } from '../../../components/numbers.ts';
import { MEASURES, type Measure } from './measures.ts';

const monthFormat = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** How strong the strongest colour is, so that the text on it can be read in both colour schemes. */
const STRONGEST = 0.45;
/** Pixels that a month takes, and what is before the months. */
const [MONTH, BEFORE] = [60, 190];
const AMOUNT = 85;

/** A row of each month's new customers; the number in each cell says what its colour does. */
export function CohortTable({ report, measure }: { report: CohortReport; measure: Measure }) {
  const { currency } = report;
  // From the first month in which there were some.
  const cohorts = report.cohorts.slice(report.cohorts.findIndex(({ profile_count }) => profile_count > 0));
  const { title, words, heat } = MEASURES[measure];
  // In their first month all have ordered: the others are compared with each other.
  const hottest = Math.max(...cohorts.flatMap(({ months }) => months.slice(1).map(heat)), 0);
  const colorOf = (value: number) => `rgb(92 124 250 / ${hottest === 0 ? 0 : (STRONGEST * value) / hottest})`;
  const columns: Column<Cohort>[] = [
    {
      header: 'First order',
      width: 110,
      isWholeLine: true,
      render: ({ month }) => monthFormat.format(new Date(month)),
    },
    { header: 'Customers', width: 90, align: 'right', render: ({ profile_count }) => count(profile_count) },
    ...cohorts.map(
      (_, n): Column<Cohort> => ({
        header: `+${n}`,
        align: 'right',
        render: ({ months, profile_count }) => {
          const month = months[n];
          if (!month || profile_count === 0) return null;
          return (
            <Box px={4} bdrs="sm" {...(n > 0 && { style: { background: colorOf(heat(month)) } })}>
              {words(month, currency)}
            </Box>
          );
        },
      }),
    ),
  ];
  return (
    <DataTable
      label={title}
      file={null}
      columns={columns}
      rows={cohorts}
      rowKey={({ month }) => month}
      minWidth={BEFORE + cohorts.length * (measure === 'amount' ? AMOUNT : MONTH)}
    />
  );
}
