import { type RawBuilder, sql } from 'kysely';
import { exactly } from '../../db/rows.ts';

/** Rows that are sold as the same, of which the one with the least id is taken. */
const MOST = 20;

/**
 * A subquery, to be joined laterally: of those that are sold as a column says, one. It is found by the index of that, with
 * whatever statistics it is planned.
 */
export function rowBySku(table: 'catalog_item' | 'catalog_variant', storeId: string, sku: string): RawBuilder<unknown> {
  return sql`(
    select * from (
      select * from ${sql.table(table)} where store_id = ${storeId} and ${exactly('sku', sku)} order by sku limit ${sql.lit(MOST)}
    ) as sold order by id limit 1
  )`;
}
