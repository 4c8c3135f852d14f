import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { OLDEST_UNREAD } from '../../feed/readers.ts';
import { expired, FIRST_PARTITION } from './find-expired.ts';
import { IS_RESTING } from './pace.ts';
import { isLost } from './read-changes.ts';
import { READER } from './reader.ts';

/** Finds the stores of one part of the data whose segments have something to do. */
export async function findWork(db: Sql): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select store_id as "storeId" from segment_store t
    where not ${IS_RESTING} and (exists (
        select from feed_reader r
        where r.store_id = t.store_id and r.name = ${READER} and ${OLDEST_UNREAD} is not null
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
