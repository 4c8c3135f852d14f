import { useQueryClient } from '@tanstack/react-query';
import { useOperation } from '../../api/operations.ts';
import { useAllows } from '../../session/current-caller.tsx';

const READ: readonly unknown[] = [
  ...['listCatalogFeeds', 'getCatalogFeed', 'listCatalogFeedRuns', 'getCatalogFeedRun', 'listCatalogFeedErrors'],
];

export const feedPath = (id: string): string => `/feeds/${id}`;
export const runPath = ({ feed_id, id }: { feed_id: string; id: string }): string => `${feedPath(feed_id)}/runs/${id}`;

/** All feeds of the store, of which there are at most ten; undefined until they are read. */
export function useFeeds(options: { refetchInterval?: number } = {}) {
  const mayRead = useAllows('catalog:read');
  return useOperation('listCatalogFeeds', { limit: 100 }, { ...options, enabled: mayRead }).data?.feeds;
}

/** Reads again what is shown of feeds, after something of them was changed; of one that is gone, only the list. */
export function useRefreshFeeds(read = READ): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => read.includes(queryKey[0]) });
}

export const LIST: readonly unknown[] = ['listCatalogFeeds'];
