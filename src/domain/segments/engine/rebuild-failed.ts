import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { requestBuilds } from '../request-build.ts';

/** Has all segments built anew that have failed: what took too long on a slow day, or was not possible, may be so now. */
export async function rebuildFailed(tx: Sql, storeId: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from segment where store_id = ${storeId} and failure is not null order by id for update`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await requestBuilds(tx, storeId, ids, { reason: 'missed_changes', isStale: true });
}
