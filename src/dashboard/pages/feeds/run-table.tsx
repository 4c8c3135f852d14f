import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { CatalogFeedRun } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Section } from '../../components/section.tsx';
import { Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { RunStatus } from './feed-state.tsx';
import { runPath } from './use-feeds.ts';

const COLUMNS: readonly Column<CatalogFeedRun>[] = [
  {
    header: 'When',
    isWholeLine: true,
    render: (run) => (
      <>
        <Anchor component={Link} to={runPath(run)} size="sm" fw={500}>
          <Time value={run.started_at} />
        </Anchor>
        {run.error && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {run.error}
          </Text>
        )}
      </>
    ),
  },
  { header: 'Status', width: 150, render: ({ status }) => <RunStatus status={status} /> },
  { header: 'Products', width: 100, align: 'right', render: ({ record_count }) => count(record_count) },
  { header: 'New', width: 80, align: 'right', render: ({ created_count }) => count(created_count) },
  { header: 'Changed', width: 90, align: 'right', render: ({ updated_count }) => count(updated_count) },
  { header: 'Left out', width: 90, align: 'right', render: ({ rejected_count }) => count(rejected_count) },
  { header: 'Hidden', width: 80, align: 'right', render: ({ hidden_count }) => count(hidden_count) },
];

/** The times that a feed was read, the latest first. */
export function RunTable({ feedId, refreshMs }: { feedId: string; refreshMs: number }) {
  const asked = { id: feedId, limit: 25 };
  const query = useRows('listCatalogFeedRuns', asked, ({ runs }) => runs, { refetchInterval: refreshMs });
  return (
    <Section title="Runs">
      <Loaded query={query}>
        {(runs) =>
          runs.length === 0 ? (
            <Text size="sm" c="dimmed">
              It has not been read in the last 30 days.
            </Text>
          ) : (
            <DataTable
              label="Runs"
              columns={COLUMNS}
              rows={runs}
              rowKey={({ id }) => id}
              rowTo={runPath}
              pages={query}
              minWidth={760}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
