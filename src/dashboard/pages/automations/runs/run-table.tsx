import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { Run } from '../../../../client/index.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import type { Pages } from '../../../components/load-more.tsx';
import { Time } from '../../../components/time.tsx';
import { colorOf } from '../../../components/words-of.ts';
import { endWords, RUN_COLORS } from '../words/reasons.ts';

export const runPath = ({ automation_id, id }: Pick<Run, 'automation_id' | 'id'>): string =>
  `/automations/${automation_id}/runs/${id}`;

const COLUMNS: readonly Column<Run>[] = [
  {
    header: 'Status',
    width: 100,
    render: ({ status }) => <Badge color={colorOf(RUN_COLORS, status)}>{status}</Badge>,
  },
  {
    header: 'Step',
    render: (run) => (
      <Group gap={6}>
        <Text size="sm">{run.step_id}</Text>
        {run.status !== 'active' && run.reason && (
          <Text size="sm" c="dimmed">
            {endWords(run.reason)}
          </Text>
        )}
      </Group>
    ),
  },
  {
    header: 'Goes on',
    width: 190,
    render: ({ due_at, waiting }) =>
      due_at && (
        <>
          {waiting?.for === 'wait' && 'at the latest '}
          <Time value={due_at} />
        </>
      ),
  },
  {
    header: 'Started',
    width: 190,
    render: (run) => (
      <Anchor component={Link} to={runPath(run)} size="sm">
        <Time value={run.started_at} />
      </Anchor>
    ),
  },
];

/** Runs, under a first column that says whose or of what. */
export function RunTable({ runs, pages, first }: { runs: readonly Run[]; pages: Pages; first: Column<Run> }) {
  return (
    <DataTable
      label="Runs"
      columns={[first, ...COLUMNS]}
      rows={runs}
      rowKey={({ id }) => id}
      rowTo={runPath}
      pages={pages}
      minWidth={680}
    />
  );
}
