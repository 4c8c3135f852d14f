import { Button, Group, Loader, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Pages } from '../../components/load-more.tsx';
import { count } from '../../components/numbers.ts';

/** Events that the service looks through for one page, at most. */
const PER_PAGE = 2_000;

/** Goes on through older events, page by page, until one fits or the person has seen enough. */
export function Search({ pages: { isFetchingNextPage, isFetchNextPageError, fetchNextPage } }: { pages: Pages }) {
  const [isStopped, setIsStopped] = useState(false);
  const [pagesRead, setPagesRead] = useState(1);
  const isIdle = isStopped || isFetchNextPageError;

  useEffect(() => {
    if (isIdle || isFetchingNextPage) return;
    void fetchNextPage().then(() => setPagesRead((before) => before + 1));
  }, [isIdle, isFetchingNextPage, fetchNextPage]);

  return (
    <Group justify="center" p="xl" role="status">
      {!isIdle && <Loader size="sm" />}
      <Text size="sm" c="dimmed">
        No match in about the last {count(pagesRead * PER_PAGE)} events.
      </Text>
      {isIdle ? (
        <Button
          variant="default"
          size="xs"
          loading={isFetchingNextPage}
          onClick={() => (isStopped ? setIsStopped(false) : fetchNextPage())}
        >
          Continue
        </Button>
      ) : (
        <Button variant="default" size="xs" onClick={() => setIsStopped(true)}>
          Stop
        </Button>
      )}
    </Group>
  );
}
