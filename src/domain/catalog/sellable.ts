import { type RawBuilder, sql } from 'kysely';

/** Whether an item without variants, or a variant, can be bought; `row` is what its table is called in the query. */
export function sells(row: string): RawBuilder<boolean> {
  const [available, stock, policy] = [`${row}.available`, `${row}.stock`, `${row}.stock_policy`].map((one) =>
    sql.ref(one),
  );
  return sql`(${available} and (${stock} is null or ${stock} > 0 or ${policy} = 'continue'))`;
}

/** Whether an item of a store can be bought: one of its variants, if it has any. */
export function isInStock(storeId: string, item: string): RawBuilder<boolean> {
  const variants = sql`
    select from catalog_variant v
    where v.store_id = ${storeId} and v.item_id = ${sql.ref(`${item}.id`)}`;
  return sql`(
    case when exists (${variants}) then exists (${variants} and ${sells('v')}) else ${sells(item)} end
  )`;
}
