import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { rowExactly } from '../../../db/rows.ts';
import { invalid } from '../../service-error.ts';

/** Keeps a load of the whole catalog open until the transaction ends. Throws `validation_error` if it is not. */
export async function expectOpen(tx: Sql, storeId: string, syncId: string): Promise<void> {
  const { rows } = await sql<{ status: string }>`
    select status from catalog_sync where store_id = ${storeId} and id = ${syncId} for share`.execute(tx);
  const [sync] = rows;
  if (sync?.status === 'open') return;
  throw invalid({ path: ['sync_id'], problem: sync ? 'is that of a load that is complete' : 'is that of no load' });
}

/** Notes that items, as far as there are any, have come with a load. */
export async function noteSeen(tx: Sql, storeId: string, syncId: string, itemIds: readonly string[]): Promise<void> {
  await sql`
    insert into catalog_sync_item (store_id, sync_id, item_id)
    select ${storeId}::uuid, ${syncId}::uuid, i.id
    from unnest(${texts([...new Set(itemIds)])}::text[]) as w (id)
    cross join lateral ${rowExactly('catalog_item', storeId, 'w.id')} i
    on conflict do nothing`.execute(tx);
}
