import { useState } from 'react';
import type { AttributionGroup } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { RangePicker } from '../../range/range-picker.tsx';
import { type ShownRange, useRange } from '../../range/use-range.ts';
import { moneyOf, Rule } from './revenue.tsx';

const SOURCES = { campaign: 'Campaigns', automation: 'Automations', request: 'Requests' };

const SUMS: readonly Column<AttributionGroup>[] = [
  { header: 'Orders', width: 100, align: 'right', render: ({ order_count }) => count(order_count) },
  { header: 'Revenue', width: 200, align: 'right', render: ({ revenue }) => moneyOf(revenue) },
];

/** As the report takes them, whose days are otherwise those of UTC. */
const daysOf = ({ first, last, timeZone }: ShownRange) => ({ from: first, to: last, time_zone: timeZone });

/** What the messages of a store led to in a range of days; nothing where there is nothing. */
export function Earned() {
  const range = useRange();
  const { data } = useOperation('getAttribution', { group_by: 'source', ...daysOf(range) });
  const first = {
    header: 'Sent by',
    isWholeLine: true,
    render: ({ source }: AttributionGroup) => wordsOf(SOURCES, String(source)),
  };
  return <Groups groups={data?.groups} range={range} first={first} />;
}

/** The same of an automation, by its steps. */
export function EarnedBySteps({ automationId }: { automationId: string }) {
  const range = useRange();
  const { data } = useOperation('getAttribution', {
    group_by: 'step',
    source_id: automationId,
    ...daysOf(range),
  });
  const first = { header: 'Step', isWholeLine: true, render: ({ step_id }: AttributionGroup) => step_id };
  return <Groups groups={data?.groups} range={range} first={first} />;
}

function Groups({
  groups,
  range,
  first,
}: {
  groups: readonly AttributionGroup[] | undefined;
  range: ShownRange;
  first: Column<AttributionGroup>;
}) {
  // Whoever has chosen a time in which there was nothing can choose another one.
  const [wasSomething, setWasSomething] = useState(false);
  const isSomething = groups !== undefined && groups.length > 0;
  if (isSomething && !wasSomething) setWasSomething(true);
  if (!isSomething && !wasSomething) return null;
  return (
    <Section title="Earned" actions={<RangePicker range={range} />}>
      {isSomething && (
        <DataTable
          label="Earned"
          columns={[first, ...SUMS]}
          rows={groups}
          rowKey={({ source, step_id }) => `${String(source)} ${step_id}`}
          minWidth={400}
        />
      )}
      <Rule isNothing={groups?.length === 0} />
    </Section>
  );
}
