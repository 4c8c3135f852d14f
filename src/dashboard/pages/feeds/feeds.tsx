import { RssIcon } from '@primer/octicons-react';
import type { CatalogFeed } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import type { Column } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { OpenButton } from '../../components/open-button.tsx';
import { Page } from '../../components/page.tsx';
import { nameColumn, Rows } from '../../components/rows.tsx';
import { Section } from '../../components/section.tsx';
import { Empty } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { FeedState } from './feed-state.tsx';
import { SaveFeed } from './save-feed.tsx';
import { feedPath } from './use-feeds.ts';
import { everyInWords } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 10_000;

const COLUMNS: readonly Column<CatalogFeed>[] = [
  nameColumn(feedPath, (feed) => <FeedState feed={feed} />),
  { header: 'From', width: 200, render: ({ url_origin }) => url_origin ?? 'A file' },
  {
    header: 'Read',
    width: 150,
    render: ({ every_minutes }) => (every_minutes === null ? 'Once' : `Every ${everyInWords(every_minutes)}`),
  },
  {
    header: 'Products',
    width: 110,
    align: 'right',
    render: ({ last_run }) => (last_run ? count(last_run.record_count) : '–'),
  },
  {
    header: 'Last read',
    width: 190,
    render: ({ last_run }) => (last_run ? <Time value={last_run.started_at} /> : 'Never'),
  },
];

/** Files that say what the store sells. */
export function Feeds() {
  const query = useRows('listCatalogFeeds', { limit: 100 }, ({ feeds }) => feeds, { refetchInterval: REFRESH_MS });
  const mayChange = useAllows('catalog:write');
  return (
    <Page
      title="Feeds"
      description="Files that say what the store sells: read from a URL every so often, or uploaded."
      actions={mayChange && <OpenButton text="Create a feed">{(close) => <SaveFeed onClose={close} />}</OpenButton>}
    >
      <Section title="Feeds of this store">
        <Rows
          query={query}
          label="Feeds"
          columns={COLUMNS}
          to={feedPath}
          minWidth={760}
          empty={
            <Empty
              icon={<RssIcon size={24} />}
              title="No feeds yet"
              description="Shops offer one for Google or Facebook: give its URL, or upload the file."
            />
          }
        />
      </Section>
    </Page>
  );
}
