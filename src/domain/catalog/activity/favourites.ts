import { sql } from 'kysely';
import { rowExactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { activityOfCustomer } from './of-customer.ts';

/** An item that a customer has ordered. */
export interface Favourite {
  id: string;
  title: string;
  imageUrl: string | null;
  orders: number;
  lastOrderedAt: Date;
}

/** Favourites of a customer, at most. */
const MAX = 5;

/** Returns what a customer ordered most often, of what the catalog has. It knows few items of a customer, and looks at all. */
export async function favouritesOf(db: Sql, storeId: string, profileId: string): Promise<Favourite[]> {
  const { rows } = await sql<Omit<Favourite, 'lastOrderedAt'> & { last: number }>`
    select i.id, i.title, i.image_url as "imageUrl", a.times::float8 as orders,
      (extract(epoch from a.last_at) * 1000)::float8 as last
    from ${activityOfCustomer(storeId, sql`${profileId}::uuid`, sql`'ordered'`)} a
    cross join lateral ${rowExactly('catalog_item', storeId, 'a.item_id')} i
    order by a.times desc, a.last_at desc, i.id
    limit ${MAX}`.execute(db);
  return rows.map(({ last, ...item }) => ({ ...item, lastOrderedAt: new Date(last) }));
}
