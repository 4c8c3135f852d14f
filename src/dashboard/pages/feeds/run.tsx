import { Anchor, DataList, Text } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { type CatalogFeedError, type CatalogFeedRun, FootfallError } from '../../../client/index.ts';
import { useOperation, useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Item } from '../../components/item.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { RunStatus } from './feed-state.tsx';
import { feedPath } from './use-feeds.ts';
import { WaitingRun } from './waiting.tsx';

/** Milliseconds, as long as it is under way. */
const REFRESH_MS = 2_000;
/** Errors of a run that are kept. */
const MAX_ERRORS = 1_000;

const COLUMNS: readonly Column<CatalogFeedError>[] = [
  { header: 'What is wrong', isWholeLine: true, render: ({ message }) => message },
  { header: 'Column', width: 200, render: ({ column }) => column ?? '–' },
  { header: 'Line', width: 110, align: 'right', render: ({ line }) => count(line) },
];

/** What came of reading a feed once. */
export function FeedRun() {
  const { feedId = '', runId = '' } = useParams();
  const asked = { id: feedId, run_id: runId };
  const query = useOperation('getCatalogFeedRun', asked, { refetchInterval: REFRESH_MS });
  const back = (
    <Anchor component={Link} to={feedPath(feedId)} inherit underline="always">
      The feed
    </Anchor>
  );
  if (query.error instanceof FootfallError && query.error.code === 'not_found') {
    return (
      <Page title="Run of a feed">
        <Empty title="Run not found" description="Runs are kept for 30 days." action={back} />
      </Page>
    );
  }
  return (
    <Page title="Run of a feed" description={back}>
      <Loaded query={query}>
        {(run) => (
          <>
            {run.status === 'needs_confirmation' && <WaitingRun feedId={feedId} runId={runId} />}
            <About run={run} />
            {run.rejected_count > 0 && <Errors {...asked} rejected={run.rejected_count} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function About({ run }: { run: CatalogFeedRun }) {
  return (
    <Section title="What came of it">
      <DataList>
        <Item label="Status">
          <RunStatus status={run.status} />
        </Item>
        {run.error && <Item label="Why">{run.error}</Item>}
        <Item label="Began">
          <Time value={run.started_at} />
        </Item>
        {run.ended_at && (
          <Item label="Ended">
            <Time value={run.ended_at} />
          </Item>
        )}
        <Item label="Products">{count(run.record_count)}</Item>
        <Item label="New items">{count(run.created_count)}</Item>
        <Item label="Changed items">{count(run.updated_count)}</Item>
        <Item label="Unchanged items">{count(run.unchanged_count)}</Item>
        <Item label="Left out">{count(run.rejected_count)}</Item>
        <Item label="Not in the file">{count(run.missing_count)}</Item>
        <Item label="Hidden">{count(run.hidden_count)}</Item>
      </DataList>
    </Section>
  );
}

function Errors({ rejected, ...asked }: { id: string; run_id: string; rejected: number }) {
  const query = useRows('listCatalogFeedErrors', { ...asked, limit: 100 }, ({ errors }) =>
    errors.map((error, n) => ({ ...error, id: `${error.line} ${error.column} ${n}` })),
  );
  return (
    <Section title="What was left out">
      {rejected > MAX_ERRORS && (
        <Text size="sm" c="dimmed">
          The first {count(MAX_ERRORS)} of {count(rejected)}.
        </Text>
      )}
      <Loaded query={query}>
        {(errors) => (
          <DataTable
            label="Errors"
            columns={COLUMNS}
            rows={errors}
            rowKey={({ id }) => id}
            pages={query}
            minWidth={560}
          />
        )}
      </Loaded>
    </Section>
  );
}
