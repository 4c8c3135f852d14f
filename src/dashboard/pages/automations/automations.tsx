import { Anchor, Badge } from '@mantine/core';
import { WorkflowIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { Arguments, AutomationSummary } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { FilterSelect } from '../../components/filter-select.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { colorOf } from '../../components/words-of.ts';
import { known } from '../../definitions.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { useFilters } from '../../use-filters.ts';
import { CreateMenu, Starters } from './create.tsx';
import { Named } from './words/named.tsx';
import { STATUS_COLORS } from './words/reasons.ts';
import { triggerWords } from './words/trigger.ts';

/** Milliseconds. */
const REFRESH_MS = 10_000;
const STATUSES = Object.keys(STATUS_COLORS);

const COLUMNS: readonly Column<AutomationSummary>[] = [
  {
    header: 'Name',
    render: ({ id, name }) => (
      <Anchor component={Link} to={`/automations/${id}`} size="sm" fw={500}>
        {name}
      </Anchor>
    ),
  },
  { header: 'Starts when', isWholeLine: true, render: ({ trigger }) => <Named>{triggerWords(known(trigger))}</Named> },
  {
    header: 'Status',
    width: 110,
    render: ({ status }) => <Badge color={colorOf(STATUS_COLORS, status)}>{status}</Badge>,
  },
  { header: 'Active runs', width: 110, align: 'right', render: ({ active_runs }) => count(active_runs) },
  { header: 'Last changed', width: 130, render: ({ updated_at }) => <Time value={updated_at} format="date" /> },
];

/** What the store has set up to happen by itself. */
export function Automations() {
  const [filters, change] = useFilters(['status']);
  const mayWrite = useAllows('automations:write');
  const query = useRows('listAutomations', filters as Arguments<'listAutomations'>, ({ automations }) => automations, {
    refetchInterval: REFRESH_MS,
  });
  return (
    <Page
      title="Automations"
      description="What happens by itself when a customer does something, changes, or has a date."
      actions={mayWrite && <CreateMenu />}
    >
      <Section
        title="Automations of this store"
        actions={
          <FilterSelect
            name="status"
            filters={filters}
            change={change}
            aria-label="Status"
            placeholder="Any status"
            data={STATUSES}
            size="xs"
            w={150}
          />
        }
      >
        <Rows
          query={query}
          label="Automations"
          columns={COLUMNS}
          to={(id) => `/automations/${id}`}
          minWidth={720}
          unmatched={filters.status && 'No automations with this status'}
          empty={
            <>
              <Empty
                icon={<WorkflowIcon size={24} />}
                title="No automations yet"
                description={
                  mayWrite
                    ? 'Begin with one of these, and change it as you like. Its e-mails become templates of yours, ready to be sent.'
                    : undefined
                }
              />
              {mayWrite && <Starters />}
            </>
          }
        />
      </Section>
    </Page>
  );
}
