import { Alert, DataList } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useParams } from 'react-router';
import type { CatalogFeed } from '../../../client/index.ts';
import { useOperation } from '../../api/operations.ts';
import { Item } from '../../components/item.tsx';
import { PageOfOne } from '../../components/page-of-one.tsx';
import { Section } from '../../components/section.tsx';
import { Time } from '../../components/time.tsx';
import { wordsOf } from '../../components/words-of.ts';
import { useAllows } from '../../session/current-caller.tsx';
import { FeedActions } from './feed-actions.tsx';
import { FeedState } from './feed-state.tsx';
import { RunTable } from './run-table.tsx';
import { WaitingRun } from './waiting.tsx';
import { everyInWords, FORMAT_WORDS, MANY_FAILURES } from './words.ts';

/** Milliseconds: it is looked at after something was asked of it. */
const REFRESH_MS = 3_000;

/** One feed, and what came of reading it. */
export function Feed() {
  const { feedId = '' } = useParams();
  const mayChange = useAllows('catalog:write');
  const query = useOperation('getCatalogFeed', { id: feedId }, { refetchInterval: REFRESH_MS });
  return (
    <PageOfOne
      query={query}
      kind="Feed"
      heading="Feeds"
      all="All feeds"
      to="/feeds"
      title={query.data?.name}
      actions={mayChange && query.data && <FeedActions feed={query.data} />}
    >
      {(feed) => (
        <>
          {feed.waiting_run_id !== null && <WaitingRun feedId={feed.id} runId={feed.waiting_run_id} />}
          {feed.failure_count >= MANY_FAILURES && <Failing feed={feed} />}
          <About feed={feed} />
          <RunTable feedId={feed.id} refreshMs={REFRESH_MS} />
        </>
      )}
    </PageOfOne>
  );
}

function Failing({ feed: { failure_count, last_run, next_run_at } }: { feed: CatalogFeed }) {
  return (
    <Alert color="red" icon={<AlertIcon />} title={`It has failed ${failure_count} times in a row`} role="status">
      {last_run?.error && `${last_run.error}. `}
      {next_run_at && 'Until that is repaired it is read less and less often. '}Its items stay as they were.
    </Alert>
  );
}

function About({ feed }: { feed: CatalogFeed }) {
  const { id, url_origin, format, currency, every_minutes, next_run_at, created_at } = feed;
  return (
    <Section title="About the feed">
      <DataList>
        <Item label="Status">
          <FeedState feed={feed} />
        </Item>
        <Item label="From">
          {url_origin === null ? 'A file that is uploaded' : `${url_origin}; the rest is secret`}
        </Item>
        <Item label="Read">
          {every_minutes === null ? 'Once for each file' : `Every ${everyInWords(every_minutes)}`}
        </Item>
        {next_run_at && (
          <Item label="Next">
            <Time value={next_run_at} />
          </Item>
        )}
        <Item label="Format">{format === null ? 'As the file looks' : wordsOf(FORMAT_WORDS, format)}</Item>
        <Item label="Currency">{currency === null ? 'As each price says' : `${currency}, where a price has none`}</Item>
        <Item label="Created">
          <Time value={created_at} />
        </Item>
        <Item label="Id">{id}</Item>
      </DataList>
    </Section>
  );
}
