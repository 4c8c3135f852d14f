import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';

/** Campaigns that are found at a time. */
const MOST = 1_000;

/** Finds the campaigns of one part of the data for which something is to be done. */
export async function findDueCampaigns(db: Sql): Promise<{ storeId: string; id: string }[]> {
  const { rows } = await sql<{ storeId: string; id: string }>`
    select store_id as "storeId", id from campaign where due_at <= now() limit ${MOST}`.execute(db);
  return rows;
}
