import { useQuery } from '@tanstack/react-query';
import type { Profile } from '../../../client/index.ts';
import { useClient } from '../../api/client.tsx';
import { Time } from '../../components/time.tsx';
import { useAllows } from '../../session/current-caller.tsx';

/** Pages of events from before the profile that are read to find the first. */
const MAX_PAGES = 10;
const PAGE = 100;

/** The time of a customer's first event where that is older than the profile, as with a history that was imported. */
export function KnownSince({ profile: { id, created_at } }: { profile: Profile }) {
  const client = useClient();
  const { data } = useQuery({
    queryKey: ['first-event', id],
    enabled: useAllows('events:read'),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      let first = created_at;
      let cursor: string | null | undefined;
      for (let page = 0; page < MAX_PAGES && cursor !== null; page += 1) {
        const args = { id, to: created_at, limit: PAGE, ...(cursor && { cursor }) };
        const { events, next_cursor } = await client.listProfileEvents(args, { signal });
        first = events.at(-1)?.occurred_at ?? first;
        cursor = next_cursor;
      }
      return { first, isFirst: cursor === null };
    },
  });
  return (
    <>
      {data && !data.isFirst && 'before '}
      <Time value={data?.first ?? created_at} />
    </>
  );
}
