import type { CatalogFeed } from '../../client/index.ts';
import { feedPath, useFeeds } from '../pages/feeds/use-feeds.ts';
import { MANY_FAILURES } from '../pages/feeds/words.ts';
import { NOTICE_REFRESH_MS, Notice } from './notice.tsx';

const isFailing = ({ failure_count }: CatalogFeed) => failure_count >= MANY_FAILURES;

/** Says on every page which feeds of the catalog wait for somebody, or fail again and again. */
export function TroubledFeeds() {
  const feeds = useFeeds({ refetchInterval: NOTICE_REFRESH_MS }) ?? [];
  const troubled = feeds.filter((feed) => feed.waiting_run_id !== null || isFailing(feed));
  return (
    <Notice
      kind="feeds"
      of={troubled.map((feed) => ({
        id: feed.id,
        name: feed.name,
        to: feedPath(feed.id),
        words: isFailing(feed) ? `it has failed ${feed.failure_count} times in a row` : 'it would hide many items',
        state: `${feed.waiting_run_id}`,
      }))}
      isUrgent={troubled.some(isFailing)}
      title={{ one: 'A feed of the catalog needs you', many: (count) => `${count} feeds of the catalog need you` }}
    />
  );
}
