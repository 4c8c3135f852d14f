import type { CampaignDomain } from '../../../client/index.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count, share } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';

type Count = 'delivered_count' | 'bounced_count' | 'opened_count' | 'clicked_count';

const column = (header: string, name: Count): Column<CampaignDomain> => ({
  header,
  width: 130,
  align: 'right',
  render: (domain) => `${count(domain[name])} (${share(domain[name], domain.sent_count)})`,
});

const COLUMNS: readonly Column<CampaignDomain>[] = [
  { header: 'Domain', isWholeLine: true, render: ({ domain }) => domain ?? 'All others' },
  { header: 'Handed over', width: 120, align: 'right', render: ({ sent_count: some }) => count(some) },
  column('Arrived', 'delivered_count'),
  column('Came back', 'bounced_count'),
  column('Opened, at most', 'opened_count'),
  column('Clicked', 'clicked_count'),
];

/** What became of the e-mails by where their addresses are. */
export function DomainResults({ domains }: { domains: readonly CampaignDomain[] }) {
  if (domains.length === 0) return null;
  return (
    <Section title="Domains">
      <DataTable
        label="Domains"
        columns={COLUMNS}
        rows={domains}
        rowKey={({ domain }) => domain ?? ''}
        minWidth={760}
      />
    </Section>
  );
}
