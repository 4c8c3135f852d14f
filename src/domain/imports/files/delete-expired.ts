import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import type { Row } from '../../../db/tables.ts';
import type { DataTask } from '../../../engine/periodic.ts';

/** Expired imports that one statement finds. */
const FOUND = 1_000;

/** Deletes expired imports one by one: the text of each may have 100 MB. */
export async function deleteExpiredImports(db: Sql): Promise<void> {
  for (;;) {
    const { rows } = await sql<Pick<Row<'customer_import'>, 'store_id' | 'id'>>`
      select store_id, id from customer_import where expires_at <= now() limit ${FOUND}`.execute(db);
    if (rows.length === 0) return;
    for (const { store_id: storeId, id } of rows) {
      await sql`
        delete from customer_import
        where store_id = ${storeId} and id = ${id} and expires_at <= now()`.execute(db);
    }
  }
}

export const DELETE_EXPIRED_IMPORTS: DataTask = {
  failure: 'deletion of expired imports failed',
  everyMs: 60 * 60 * 1000,
  alsoAt: 'start',
  run: deleteExpiredImports,
};
