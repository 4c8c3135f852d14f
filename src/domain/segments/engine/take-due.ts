import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { noteFollowed } from './follow.ts';
import { withSegments } from './lock.ts';
import type { Dirty } from './origin.ts';
import { type Following, followOrPostpone, postpone } from './postponed.ts';
import { loadSegments } from './segments.ts';
import type { SegmentTools, TransactionTools } from './tools.ts';

/** Customers of one transaction. */
const MAX_PROFILES = 1_000;

const TIME: readonly Dirty[] = [{ what: 'time', cause: 'time', depth: 0 }];

/** Looks at customers who may have entered or left a segment by the passage of time. Returns whether more are due. */
export async function takeDue(db: Sql, storeId: string, shared: SegmentTools): Promise<boolean> {
  const taken = await followOrPostpone((following) =>
    withSegments(db, storeId, shared, (tx, tools) => takeSome(tx, storeId, tools, following)),
  );
  if (taken) shared.work.add(taken.work);
  return taken?.isMore ?? false;
}

async function takeSome(tx: Sql, storeId: string, tools: TransactionTools, following: Following) {
  const { rows } = await sql<{ id: string; dueAt: number }>`
    select profile_id as id, (extract(epoch from due_at) * 1000)::float8 as "dueAt" from segment_due
    where store_id = ${storeId} and due_at <= ${new Date(tools.now()).toISOString()}::timestamptz
    order by due_at
    limit ${MAX_PROFILES}`.execute(tx);
  const [first] = rows;
  if (!first) return undefined;
  const since = first.dueAt;
  const segments = await loadSegments(tx, storeId, tools.generations);
  const dirty = new Map(rows.map(({ id }) => [id, TIME]));
  const now = await postpone(tx, storeId, dirty, since);
  const followed = await following(tx, storeId, segments, now, { ...tools, since });
  await forgetDue(tx, storeId, [...dirty.keys()]);
  await noteFollowed(tx, storeId, followed, tools.now());
  return { isMore: rows.length === MAX_PROFILES, work: followed.work };
}

/**
 * Only afterwards: a segment that fails says since when nobody was looked at. Found by their key, whatever the planner knows
 * of the table.
 */
async function forgetDue(tx: Sql, storeId: string, profileIds: readonly string[]): Promise<void> {
  await sql`
    delete from segment_due d
    using unnest(${uuids(profileIds)}::uuid[]) as w (id)
    cross join lateral (
      select ctid from segment_due
      where store_id = ${storeId} and ${exactly('profile_id', 'w.id')}
      order by profile_id
      limit 1
    ) as found
    where d.store_id = ${storeId} and d.ctid = found.ctid`.execute(tx);
}
