import type { AttributionGroup } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { moneyOf, Rule } from './revenue.tsx';

const SOURCES = { campaign: 'Campaigns', automation: 'Automations', request: 'Requests' };

const SUMS: readonly Column<AttributionGroup>[] = [
  { header: 'Orders', width: 100, align: 'right', render: ({ order_count }) => count(order_count) },
  { header: 'Revenue', width: 200, align: 'right', render: ({ revenue }) => moneyOf(revenue) },
];

/** What the messages of a store led to in the last thirty days; nothing where there is nothing. */
export function Earned() {
  const { data } = useOperation('getAttribution', { group_by: 'source' });
  const first = {
    header: 'Sent by',
    isWholeLine: true,
    render: ({ source }: AttributionGroup) => wordsOf(SOURCES, String(source)),
  };
  return <Groups groups={data?.groups ?? []} first={first} />;
}

/** The same of an automation, by its steps. */
export function EarnedBySteps({ automationId }: { automationId: string }) {
  const { data } = useOperation('getAttribution', { group_by: 'step', source_id: automationId });
  const first = { header: 'Step', isWholeLine: true, render: ({ step_id }: AttributionGroup) => step_id };
  return <Groups groups={data?.groups ?? []} first={first} />;
}

function Groups({ groups, first }: { groups: readonly AttributionGroup[]; first: Column<AttributionGroup> }) {
  if (groups.length === 0) return null;
  return (
    <Section title="Earned in the last 30 days">
      <DataTable
        label="Earned"
        columns={[first, ...SUMS]}
        rows={groups}
        rowKey={({ source, step_id }) => `${String(source)} ${step_id}`}
        minWidth={400}
      />
      <Rule isNothing={false} />
    </Section>
  );
}
