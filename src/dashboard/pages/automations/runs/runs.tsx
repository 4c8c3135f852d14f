import { Group } from '@mantine/core';
import type { RunStatus } from '../../../../client/index.ts';
import { useRows } from '../../../api/operations.ts';
import { FilterSelect } from '../../../components/filter-select.tsx';
import { Section } from '../../../components/section.tsx';
import { Empty, Loaded } from '../../../components/states.tsx';
import { useLedTo } from '../../../components/use-led-to.ts';
import type { AutomationDefinition } from '../../../definitions.ts';
import { useFilters } from '../../../use-filters.ts';
import { CustomerLink } from '../../profiles/customer-link.tsx';
import { RUNS } from './addresses.ts';
import { RunTable } from './run-table.tsx';

/** Milliseconds. */
const REFRESH_MS = 5_000;
const PAGE = 25;

/** Who is in an automation, who was, and where. */
export function Runs({
  automationId,
  definition,
}: {
  automationId: string;
  definition: AutomationDefinition | undefined;
}) {
  const [filters, change] = useFilters(['status', 'step']);
  const { status, step } = filters;
  const args = {
    id: automationId,
    limit: PAGE,
    ...(status && { status: status as RunStatus }),
    ...(step && { step }),
  };
  const query = useRows('listAutomationRuns', args, ({ runs }) => runs, { refetchInterval: REFRESH_MS });
  const stepIds = definition?.steps.map(({ id }) => id) ?? [];
  return (
    <Section
      ref={useLedTo(RUNS)}
      title="Runs"
      actions={
        <Group gap="xs">
          <FilterSelect
            name="status"
            filters={filters}
            change={change}
            aria-label="Status of runs"
            placeholder="Any status"
            data={['active', 'ended', 'failed']}
            size="xs"
            w={140}
          />
          <FilterSelect
            name="step"
            filters={filters}
            change={change}
            aria-label="Step of runs"
            placeholder="Any step"
            // A step of an earlier version can be in the address, too.
            data={step && !stepIds.includes(step) ? [...stepIds, step] : stepIds}
            size="xs"
            w={160}
          />
        </Group>
      }
    >
      <Loaded query={query}>
        {(runs) =>
          runs.length === 0 && !query.hasNextPage ? (
            <Empty title={status || step ? 'No runs match these filters' : 'No runs yet'} />
          ) : (
            <RunTable
              runs={runs}
              pages={query}
              first={{ header: 'Customer', render: ({ profile_id }) => <CustomerLink id={profile_id} /> }}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
