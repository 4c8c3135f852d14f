import { sql } from 'kysely';
import type { StoreData } from '../../db/store-data.ts';
import { OLDEST_UNREAD } from '../feed/readers.ts';
import { READER } from './engine/reader.ts';

/** The segments of all stores, by their state, and what is to be done for them. */
export interface SegmentBacklog {
  live: number;
  building: number;
  failed: number;
  /** Seconds that the oldest change has waited to be read, and the customer longest due to be looked at. */
  readerLag: number;
  dueLag: number;
}

export async function measureSegments(stores: Pick<StoreData, 'each'>): Promise<SegmentBacklog> {
  const backlog: SegmentBacklog = { live: 0, building: 0, failed: 0, readerLag: 0, dueLag: 0 };
  await stores.each(async (db) => {
    const { rows } = await sql<SegmentBacklog>`
      with counted as (
        select exists (
            select from segment_build b where b.store_id = s.store_id and b.segment_id = s.id and b.finished_at is null
          ) as is_building, failure is not null as has_failed
        from segment s
      ), late as (
        select
          ${OLDEST_UNREAD} as unread,
          least(
            (select due_at from segment_due d where d.store_id = t.store_id order by due_at limit 1),
            (
              select not_before from segment_postponed p
              where p.store_id = t.store_id and p.since is not null order by not_before limit 1
            )
          ) as due
        from segment_store t join feed_reader r on r.store_id = t.store_id and r.name = ${READER}
      )
      select
        (select count(*) from counted where not is_building and not has_failed)::float8 as live,
        (select count(*) from counted where is_building)::float8 as building,
        (select count(*) from counted where not is_building and has_failed)::float8 as failed,
        coalesce((select max(extract(epoch from now() - unread)) from late), 0)::float8 as "readerLag",
        greatest(0, (select max(extract(epoch from now() - due)) from late))::float8 as "dueLag"`.execute(db);
    const [part] = rows as [SegmentBacklog];
    for (const state of ['live', 'building', 'failed'] as const) backlog[state] += part[state];
    for (const lag of ['readerLag', 'dueLag'] as const) backlog[lag] = Math.max(backlog[lag], part[lag]);
  }, 'segment');
  return backlog;
}
