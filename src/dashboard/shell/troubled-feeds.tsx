import { Alert, Anchor } from '@mantine/core';
import { AlertIcon } from '@primer/octicons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { CatalogFeed } from '../../client/index.ts';
import { feedPath, useFeeds } from '../pages/feeds/use-feeds.ts';
import { MANY_FAILURES } from '../pages/feeds/words.ts';

/** Milliseconds. */
const REFRESH_MS = 60_000;
/** Which ones somebody has seen enough of, for as long as the tab is open. */
const DISMISSED = 'footfall.dismissed-feeds';

const isFailing = ({ failure_count }: CatalogFeed) => failure_count >= MANY_FAILURES;

/** Says on every page which feeds of the catalog wait for somebody, or fail again and again. */
export function TroubledFeeds() {
  const feeds = useFeeds({ refetchInterval: REFRESH_MS }) ?? [];
  const troubled = feeds.filter((feed) => feed.waiting_run_id !== null || isFailing(feed));
  const [dismissed, setDismissed] = useState(() => sessionStorage.getItem(DISMISSED) ?? '');
  const which = troubled.map(({ id, waiting_run_id }) => `${id} ${waiting_run_id}`).join();
  if (troubled.length === 0 || which === dismissed) return null;
  const dismiss = () => {
    sessionStorage.setItem(DISMISSED, which);
    setDismissed(which);
  };
  return (
    <Alert
      color={troubled.some(isFailing) ? 'red' : 'yellow'}
      icon={<AlertIcon />}
      title={
        troubled.length === 1 ? 'A feed of the catalog needs you' : `${troubled.length} feeds of the catalog need you`
      }
      role="status"
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={dismiss}
      mb="lg"
      maw={1280}
      mx="auto"
    >
      {troubled.map((feed) => (
        <div key={feed.id} style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} to={feedPath(feed.id)} inherit c="inherit" underline="always">
            {feed.name}
          </Anchor>
          : {isFailing(feed) ? `it has failed ${feed.failure_count} times in a row` : 'it would hide many items'}.
        </div>
      ))}
    </Alert>
  );
}
