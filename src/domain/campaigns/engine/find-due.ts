import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';

/** Campaigns that are found at a time, and those of one store. */
const [MOST, MOST_OF_STORE] = [1_000, 20];

/**
 * Finds the campaigns of one part of the data for which something is to be done: of each store those that have waited longest, the
 * first of each before the second of any. However many one has, others do not wait for all of them.
 */
export async function findDueCampaigns(db: Sql): Promise<{ storeId: string; id: string }[]> {
  const { rows } = await sql<{ storeId: string; id: string }>`
    select store_id as "storeId", id from (
      select store_id, id, row_number() over (partition by store_id order by due_at) as place
      from campaign where due_at <= now()
    ) due
    where place <= ${MOST_OF_STORE}
    order by place
    limit ${MOST}`.execute(db);
  return rows;
}
