import { sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { rowExactly } from '../../../db/rows.ts';

/** Notes that items, which are locked, have changed now. */
export async function touchItems(tx: Sql, storeId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    update catalog_item t set updated_at = now()
    from (
      select i.place from unnest(${texts(ids)}::text[]) as w (id)
      cross join lateral ${rowExactly('catalog_item', storeId, 'w.id')} i
      offset 0
    ) as found
    where t.ctid = found.place`.execute(tx);
}
