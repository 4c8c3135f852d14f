import { useQuery } from '@tanstack/react-query';
import { pages } from '../../client/index.ts';
import { useClient } from '../api/client.tsx';
import type { Names } from './sentence.ts';

/** Milliseconds for which names need not be read again. */
const STALE_MS = 60_000;
const LIMIT = { limit: 100 } as const;

interface Audience {
  id: string;
  name: string;
}

/** All lists and segments of the store, of which there can be 1,000 and 200; empty until they are read. */
export function useAudiences(): { lists: Audience[]; segments: Audience[] } {
  const client = useClient();
  const lists = useQuery({
    queryKey: ['listLists', 'all'],
    queryFn: ({ signal }) => collect(pages(client.listLists, LIMIT, { signal }), ({ lists }) => lists),
    staleTime: STALE_MS,
  });
  const segments = useQuery({
    queryKey: ['listSegments', 'all'],
    queryFn: ({ signal }) => collect(pages(client.listSegments, LIMIT, { signal }), ({ segments }) => segments),
    staleTime: STALE_MS,
  });
  return { lists: lists.data ?? [], segments: segments.data ?? [] };
}

/** What the lists and segments that definitions name are called. */
export function useNames(): Names {
  const { lists, segments } = useAudiences();
  const names = new Map([...lists, ...segments].map(({ id, name }) => [id, name]));
  return (id) => names.get(id);
}

async function collect<Page>(all: AsyncIterable<Page>, itemsOf: (page: Page) => Audience[]): Promise<Audience[]> {
  const found: Audience[] = [];
  for await (const page of all) found.push(...itemsOf(page).map(({ id, name }) => ({ id, name })));
  return found;
}
