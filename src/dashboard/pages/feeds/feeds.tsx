import { Anchor, Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PlusIcon, RssIcon } from '@primer/octicons-react';
import { Link } from 'react-router';
import type { CatalogFeed } from '../../../client/index.ts';
import { useRows } from '../../api/operations.ts';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { count } from '../../components/numbers.ts';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Empty, Loaded } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';
import { FeedState } from './feed-state.tsx';
import { SaveFeed } from './save-feed.tsx';
import { feedPath } from './use-feeds.ts';
import { everyInWords } from './words.ts';

/** Milliseconds. */
const REFRESH_MS = 10_000;

const COLUMNS: readonly Column<CatalogFeed>[] = [
  {
    header: 'Name',
    isWholeLine: true,
    render: (feed) => (
      <Stack gap={2}>
        <Anchor component={Link} to={feedPath(feed.id)} size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {feed.name}
        </Anchor>
        <FeedState feed={feed} />
      </Stack>
    ),
  },
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
  const [isCreating, { open, close }] = useDisclosure();
  const mayChange = useAllows('catalog:write');
  return (
    <Page
      title="Feeds"
      description="Files that say what the store sells: read from a URL every so often, or uploaded."
      actions={
        mayChange && (
          <Button leftSection={<PlusIcon />} onClick={open}>
            Create a feed
          </Button>
        )
      }
    >
      <Section title="Feeds of this store">
        <Loaded query={query}>
          {(feeds) =>
            feeds.length > 0 ? (
              <DataTable
                label="Feeds"
                columns={COLUMNS}
                rows={feeds}
                rowKey={({ id }) => id}
                rowTo={({ id }) => feedPath(id)}
                pages={query}
                minWidth={760}
              />
            ) : (
              <Empty
                icon={<RssIcon size={24} />}
                title="No feeds yet"
                description="Shops offer one for Google or Facebook: give its URL, or upload the file."
              />
            )
          }
        </Loaded>
      </Section>
      {isCreating && <SaveFeed onClose={close} />}
    </Page>
  );
}
