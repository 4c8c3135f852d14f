import type { EventTypeReport, TopProfile } from '../../../client/index.ts';
import { CsvButton } from '../../components/csv-button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { CustomerLink } from '../profiles/customer-link.tsx';
import { sumWords } from './words.ts';

const COLUMNS: readonly Column<TopProfile>[] = [
  { header: 'Customer', isWholeLine: true, render: ({ profile_id }) => <CustomerLink id={profile_id} /> },
  { header: 'Events', width: 120, align: 'right', render: ({ event_count }) => count(event_count) },
];
const SUM: Column<TopProfile> = {
  header: 'Sum',
  width: 160,
  align: 'right',
  render: ({ sum }) => (sum === null ? '—' : sumWords(sum)),
};

/** Who has the most events of the sample or, where a property is added up, the largest sums. */
export function TopCustomers({ report: { event_type, top_profiles, sum, sample } }: { report: EventTypeReport }) {
  if (top_profiles.length === 0) return null;
  const file = {
    name: `${event_type}-customers.csv`,
    header: ['profile_id', 'event_count', 'sum'],
    async *rows() {
      for (const one of top_profiles) yield [one.profile_id, one.event_count, one.sum];
    },
  };
  return (
    <Section
      title={sample.is_complete ? 'Best customers' : `Best customers of the latest ${count(sample.event_count)} events`}
      actions={<CsvButton file={file} />}
    >
      <DataTable
        label="Best customers"
        file={null}
        columns={sum === null ? COLUMNS : [...COLUMNS, SUM]}
        rows={top_profiles}
        rowKey={({ profile_id }) => profile_id}
        minWidth={400}
      />
    </Section>
  );
}
