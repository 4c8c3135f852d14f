import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { follow, noteFollowed } from './follow.ts';
import { toDirty } from './large-customers.ts';
import { lockSegments } from './lock.ts';
import type { Dirty } from './origin.ts';
import { loadSegments } from './segments.ts';
import type { SegmentTools } from './tools.ts';

/** Customers of one transaction, and events of theirs after which no further one is taken. */
const [MAX_PROFILES, MAX_EVENTS] = [1_000, 500_000];

const TIME: Dirty = { what: 'time', cause: 'time', depth: 0 };

/**
 * Looks at customers who may have entered or left a segment by the passage of time, and at those of many events whose
 * changes had to wait. Returns whether more are due.
 */
export async function takeDue(db: Sql, storeId: string, tools: SegmentTools): Promise<boolean> {
  const taken = await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      if (!(await lockSegments(tx, storeId))) return undefined;
      const now = sql`${new Date(tools.now()).toISOString()}::timestamptz`;
      const { rows: all } = await sql<{ id: string; events: number | null; happened: RawJson | null }>`
        select profile_id as id, events, happened from segment_due
        where store_id = ${storeId} and due_at <= ${now} and (not_before is null or not_before <= ${now})
        order by due_at
        limit ${MAX_PROFILES}`.execute(tx);
      if (all.length === 0) return undefined;
      const rows = thatFit(all);
      const segments = await loadSegments(tx, storeId, tools.generations);
      const dirty = new Map(rows.map(({ id, happened }) => [id, [TIME, ...toDirty(happened)]]));
      const followed = await follow(tx, storeId, segments, dirty, tools);
      await forgetDue(tx, storeId, [...dirty.keys()]);
      await noteFollowed(tx, storeId, followed, tools.now());
      return { isMore: rows.length < all.length || all.length === MAX_PROFILES, work: followed.work };
    }),
  );
  if (taken) tools.work.add(taken.work);
  return taken?.isMore ?? false;
}

/** Returns the first ones that can be looked at together: one at least, however many events there are. */
function thatFit<Row extends { events: number | null }>(rows: readonly Row[]): readonly Row[] {
  let events = 0;
  const end = rows.findIndex((row) => {
    const isFull = events > MAX_EVENTS;
    events += row.events ?? 0;
    return isFull;
  });
  return end === -1 ? rows : rows.slice(0, end);
}

/** Only afterwards: a segment that fails says since when nobody was looked at. */
async function forgetDue(tx: Sql, storeId: string, profileIds: readonly string[]): Promise<void> {
  await sql`
    delete from segment_due where store_id = ${storeId} and profile_id = any(${uuids(profileIds)}::uuid[])`.execute(tx);
}
