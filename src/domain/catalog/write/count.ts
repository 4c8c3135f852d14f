import { sql } from 'kysely';
import type { Sql } from '../../../db/orm.ts';
import { ServiceError } from '../../service-error.ts';
import { MAX_CATEGORIES, MAX_ITEMS, MAX_VARIANTS } from '../item.ts';

type Counts = Record<'items' | 'variants' | 'categories', number>;

const MOST: Counts = { items: MAX_ITEMS, variants: MAX_VARIANTS, categories: MAX_CATEGORIES };

/**
 * Counts what a transaction adds to a store's catalog, or takes from it if less than 0. Call it last: others of the store
 * that add something wait until the transaction ends. Throws `validation_error` where there would be more than there may.
 */
export async function count(tx: Sql, storeId: string, more: Partial<Counts>): Promise<void> {
  const { items = 0, variants = 0, categories = 0 } = more;
  if (items === 0 && variants === 0 && categories === 0) return;
  const { rows } = await sql<Counts>`
    insert into catalog_count as c (store_id, items, variants, categories)
    values (${storeId}, ${items}::bigint, ${variants}::bigint, ${categories}::bigint)
    on conflict (store_id) do update set
      items = c.items + excluded.items, variants = c.variants + excluded.variants,
      categories = c.categories + excluded.categories
    returning items::float8, variants::float8, categories::float8`.execute(tx);
  for (const [what, most] of Object.entries(MOST) as [keyof Counts, number][]) {
    if ((more[what] ?? 0) <= 0 || (rows[0] as Counts)[what] <= most) continue;
    throw new ServiceError('validation_error', `The store would have more than ${most.toLocaleString('en')} ${what}`);
  }
}
