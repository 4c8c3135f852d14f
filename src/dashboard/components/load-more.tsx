import { Button, Center } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';

/** What of a list that is read page after page this needs. */
export type Pages = Pick<
  UseInfiniteQueryResult,
  'hasNextPage' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
> & {
  /** Reads all rows, from the first one on. */
  all?: (signal: AbortSignal) => AsyncIterable<object>;
};

/** A button for the next page of a list, where there is one. */
export function LoadMore({ pages: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { pages: Pages }) {
  if (!hasNextPage) return null;
  return (
    <Center>
      <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
        Load more
      </Button>
    </Center>
  );
}
