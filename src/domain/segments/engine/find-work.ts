import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { expired } from './find-expired.ts';
import { FIRST_PARTITION } from './first-partition.ts';
import { IS_RESTING } from './pace.ts';
import { isLost } from './place.ts';
import { READER } from './unread.ts';

/** Finds the stores of one part of the data whose segments have something to do. */
export async function findWork(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select store_id as "storeId" from segment_store t
    where not ${IS_RESTING} and (exists (
        select from feed_reader r
        cross join lateral (
          (select 1 from addition a
            where a.store_id = r.store_id and a.position > r.entry order by a.position limit 1)
          union all
          (select 1 from addition a
            where a.store_id = r.store_id and a.position is null order by a.position, a.xid limit 1)
          limit 1
        ) unread
        where r.store_id = t.store_id and r.name = ${READER}
      )
      or exists (
        select from segment_due d
        where d.store_id = t.store_id and d.due_at <= now()
      )
      or exists (
        select from segment_postponed p
        where p.store_id = t.store_id and p.since is not null and p.not_before <= now()
      )
      or (${isLost(sql`t.store_id`)})
      or exists (select from segment_build b where b.store_id = t.store_id and b.finished_at is null)
      or exists (select from segment_leftover l where l.store_id = t.store_id)
      or exists (select from segment s where s.store_id = t.store_id and s.failure is null and ${expired(FIRST_PARTITION, sql`t.store_id`)}))`.execute(
    db,
  );
  return rows.map(({ storeId }) => storeId);
}
