import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { HAS_GAP, unreadEntries } from '../../feed/readers.ts';
import { KINDS, READER, readEventNotes } from '../engine/reader.ts';

/** Entries of the feed, and items of them, beyond which a store is compared later. */
const [MAX_ENTRIES, MAX_ITEMS] = [500, 10_000];

/**
 * Returns those of whom a change is still to be followed, or whose time has come before `until`: their memberships are not
 * wrong, but late. Undefined if there are too many changes to tell, or if some are missing.
 */
export async function findPending(
  tx: Sql,
  storeId: string,
  profileIds: readonly string[],
  until: number,
): Promise<Set<string> | undefined> {
  const reader = { storeId, name: READER };
  const { rows: places } = await sql<{ hasGap: boolean }>`
    select ${HAS_GAP} as "hasGap"
    from feed_reader r join feed_head h on h.store_id = r.store_id
    where r.store_id = ${storeId} and r.name = ${READER}`.execute(tx);
  if (places[0]?.hasGap !== false) return undefined;
  const { rows } = await sql<{ kind: string; ids: string[] }>`
    select * from ${unreadEntries(reader, sql`a.kind, a.ids`, MAX_ENTRIES + 1)} as unread`.execute(tx);
  if (rows.length > MAX_ENTRIES) return undefined;
  const unread = rows.filter(({ kind }) => (KINDS as readonly string[]).includes(kind));
  if (unread.reduce((sum, { ids }) => sum + ids.length, 0) > MAX_ITEMS) return undefined;
  const eventIds = unread.flatMap(({ kind, ids }) => (kind === 'event' ? ids : []));
  const notes = await readEventNotes(tx, storeId, eventIds, null);
  const { rows: due } = await sql<{ id: string }>`
    select profile_id as id from segment_due
    where store_id = ${storeId} and profile_id = any(${uuids(profileIds)}::uuid[])
      and due_at <= ${new Date(until).toISOString()}::timestamptz
    union all
    select profile_id from segment_postponed
    where store_id = ${storeId} and profile_id = any(${uuids(profileIds)}::uuid[]) and since is not null`.execute(tx);
  return new Set([
    ...notes.map(({ profileId }) => profileId),
    ...unread.flatMap(({ kind, ids }) => (kind === 'event' ? [] : ids)),
    ...due.map(({ id }) => id),
  ]);
}
