/**
 * Customers for whom a segment can't be evaluated in the time that one transaction has: their membership stays as it is,
 * and that of all others is followed. The segment says how many they are.
 */
import { type RawBuilder, sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Dirty } from './origin.ts';
import type { TransactionTools } from './tools.ts';

/** Customers who may be set aside for one segment: with more of them it is the definition that takes too long. */
export const MAX_SET_ASIDE = 100;
/** Customers of a store who are looked at again in a night. */
const MAX_TRIED_AGAIN = 100;

/** Whatever has happened meanwhile: it is not known any more, and starts nothing. */
const ANYTHING: readonly Dirty[] = [{ what: 'any', cause: 'definition', depth: 0 }];

/** Sets a customer aside for segments. Returns those for which there are too many. */
export async function setAside(
  tx: Sql,
  storeId: string,
  profileId: string,
  segmentIds: readonly string[],
  { log, now }: Pick<TransactionTools, 'log' | 'now'>,
): Promise<string[]> {
  const what = { store_id: storeId, profile_id: profileId, segment_ids: segmentIds };
  log.warn(what, 'a customer takes too long to be evaluated for segments, and is set aside');
  await sql`
    insert into segment_set_aside (store_id, segment_id, profile_id, set_aside_at)
    select ${storeId}::uuid, id, ${profileId}::uuid, ${new Date(now()).toISOString()}::timestamptz
    from unnest(${uuids(segmentIds)}::uuid[]) as w (id)
    on conflict (store_id, segment_id, profile_id) do update set set_aside_at = excluded.set_aside_at`.execute(tx);
  const { rows } = await sql<{ id: string }>`
    select segment_id as id from segment_set_aside
    where store_id = ${storeId} and segment_id = any(${uuids(segmentIds)}::uuid[])
    group by segment_id
    having count(*) > ${MAX_SET_ASIDE}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Has those looked at again who were set aside before a segment was built, and not as it was built. */
export async function releaseBuilt(tx: Sql, storeId: string, segmentId: string, now: number): Promise<void> {
  const started = sql`
    select started_at from segment_build b
    where b.store_id = ${storeId} and b.segment_id = ${segmentId} and b.finished_at is null`;
  await release(tx, storeId, sql`segment_id = ${segmentId} and set_aside_at < (${started})`, now);
}

/** Has those looked at again who have been set aside for the longest. */
export async function releaseOldest(tx: Sql, storeId: string, now: number): Promise<void> {
  const oldest = sql`
    select segment_id, profile_id from segment_set_aside
    where store_id = ${storeId} order by set_aside_at limit ${MAX_TRIED_AGAIN}`;
  await release(tx, storeId, sql`(segment_id, profile_id) in (${oldest})`, now);
}

async function release(tx: Sql, storeId: string, which: RawBuilder<unknown>, now: number): Promise<void> {
  const at = sql`${new Date(now).toISOString()}::timestamptz`;
  await sql`
    with released as (
      delete from segment_set_aside where store_id = ${storeId} and ${which} returning profile_id
    )
    insert into segment_postponed (store_id, profile_id, events, not_before, since, happened)
    select ${storeId}::uuid, profile_id, 0, ${at}, ${at}, ${JSON.stringify(ANYTHING)}::json
    from (select distinct profile_id from released) as one
    on conflict (store_id, profile_id) do update
    set not_before = excluded.not_before, since = least(segment_postponed.since, excluded.since),
      happened = (coalesce(segment_postponed.happened::jsonb, '[]') || excluded.happened::jsonb)::json`.execute(tx);
}
