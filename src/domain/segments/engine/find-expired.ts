import { type RawBuilder, sql } from 'kysely';
import { startOfPartition } from '../../../db/partitions.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { usesEventsBefore } from '../core/uses.ts';
import { readDefinition } from '../definition.ts';
import { requestBuilds } from '../request-build.ts';
import { lockSegments } from './lock.ts';

/**
 * Has segments built anew that have counted events which have expired since: their first partition was another one when
 * the members were worked out. Returns whether there were any.
 */
export async function rebuildExpired(db: Sql, storeId: string, now: number): Promise<boolean> {
  return await db.transaction().execute(async (tx) => {
    if (!(await lockSegments(tx, storeId))) return false;
    const first = await firstPartition(tx);
    const { rows } = await sql<{ id: string; definition: RawJson; served: RawJson | null }>`
      select s.id, s.definition, s.served_definition as served from segment s
      where s.store_id = ${storeId} and s.failure is null and ${expired(sql`${first}::text`, sql`${storeId}`)}
      order by s.id
      for update`.execute(tx);
    const start = first === null ? 0 : startOfPartition(first).getTime();
    const usesExpired = (definition: RawJson | null) =>
      definition !== null && usesEventsBefore(readDefinition(definition), start, now);
    const affected = rows.filter(({ definition, served }) => usesExpired(definition) || usesExpired(served));
    const others = rows.filter((row) => !affected.includes(row)).map(({ id }) => id);
    for (const id of others) {
      await sql`update segment set first_partition = ${first} where store_id = ${storeId} and id = ${id}`.execute(tx);
      await sql`
        update segment_build set first_partition = ${first}
        where store_id = ${storeId} and segment_id = ${id} and started_at is not null`.execute(tx);
    }
    const ids = affected.map(({ id }) => id);
    await requestBuilds(tx, storeId, ids, { reason: 'events_expired', isStale: true });
    return affected.length > 0;
  });
}

/** Of `s`, a segment of a store, whose first partition is compared with the current one: as it serves, or is being built. */
export function expired(first: RawBuilder<unknown>, storeId: RawBuilder<unknown>): RawBuilder<boolean> {
  const open = sql`b.store_id = ${storeId} and b.segment_id = s.id and b.finished_at is null`;
  return sql`
    coalesce(
      (select b.first_partition from segment_build b where ${open} and b.started_at is not null limit 1),
      case when not exists (select from segment_build b where ${open}) then s.first_partition end
    ) < ${first}`;
}

/**
 * The name of the first of the partitions of events, such as `event_2026_11`, as a sub-select: another one once a month has
 * expired. Not from `pg_class`, in which a cluster hides shards, and without the number of a shard.
 */
export const FIRST_PARTITION: RawBuilder<string | null> = sql`
  (
    select min(substring(inhrelid::regclass::text, 'event_[0-9]{4}_[0-9]{2}'))
    from pg_inherits
    where inhparent = 'event'::regclass
  )`;

/** The same, where it is needed by itself. */
export async function firstPartition(db: Sql): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`select ${FIRST_PARTITION} as name`.execute(db);
  return rows[0]?.name ?? null;
}
