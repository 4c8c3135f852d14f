import { type RawBuilder, sql } from 'kysely';
import { texts } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { activityOfCustomer } from '../activity/of-customer.ts';
import { findDescendants } from '../descendants.ts';

/** Items that are recommended for one reason, at most. */
export const MAX_CANDIDATES = 50;

/** Of an item, the buyers that count, those who bought it last; and how many of them another one has at least. */
const [MAX_BUYERS, MIN_BOTH] = [2_000, 3];
/** Others that are compared: those that most of them bought. */
const MAX_OTHERS = 100;
/** Days of orders by which items sell best; categories below one that count. */
const [SALES_DAYS, MAX_CATEGORIES] = [30, 500];

const idsOf = async (db: Sql, query: RawBuilder<{ id: string }>) => (await query.execute(db)).rows.map(({ id }) => id);

/**
 * Returns what the newest buyers of an item bought besides, the best first: how many bought both, by the root of how many
 * bought the other, so that what everybody buys does not always win.
 */
export async function alsoBought(db: Sql, storeId: string, itemId: string): Promise<string[]> {
  const buyersOf = (item: RawBuilder<unknown>) => sql`
    select profile_id from item_activity
    where store_id = ${storeId} and item_id >= ${item} and item_id <= ${item} and kind = 'ordered'
    order by item_id desc, kind desc, last_at desc
    limit ${MAX_BUYERS}`;
  return await idsOf(
    db,
    sql<{ id: string }>`
      with buyers as materialized (${buyersOf(sql`${itemId}`)}), others as materialized (
        select a.item_id, count(*) as together
        from buyers b
        cross join lateral ${activityOfCustomer(storeId, sql`b.profile_id`, sql`'ordered'`)} a
        where a.item_id <> ${itemId}
        group by a.item_id
        having count(*) >= ${MIN_BOTH}
        order by together desc, a.item_id
        limit ${MAX_OTHERS}
      )
      select o.item_id as id from others o
      cross join lateral (select count(*) as buyers from (${buyersOf(sql`o.item_id`)}) as b) c
      order by o.together / sqrt(c.buyers) desc, o.item_id
      limit ${MAX_CANDIDATES}`,
  );
}

/** Returns what sold best in the last 30 days: in a category and those below it, or, of `''`, in the store. */
export async function bestSellers(db: Sql, storeId: string, categoryId: string): Promise<string[]> {
  const categories = categoryId === '' ? [] : await findDescendants(db, storeId, categoryId, MAX_CATEGORIES);
  const within =
    categoryId === ''
      ? sql``
      : sql`and exists (
          select from catalog_item_category c
          where c.store_id = ${storeId} and c.item_id = d.item_id and c.category_id = any(${texts(categories)}::text[])
        )`;
  return await idsOf(
    db,
    sql<{ id: string }>`
      select d.item_id as id from item_day d
      where d.store_id = ${storeId} and d.day >= current_date - ${sql.lit(SALES_DAYS)} and d.orders > 0 ${within}
      group by d.item_id
      order by sum(d.orders) desc, d.item_id
      limit ${MAX_CANDIDATES}`,
  );
}

/** Returns what a customer looked at, the last first. */
export async function recentlyViewed(db: Sql, storeId: string, profileId: string): Promise<string[]> {
  return await idsOf(
    db,
    sql<{ id: string }>`
      select item_id as id from ${activityOfCustomer(storeId, sql`${profileId}::uuid`, sql`'viewed'`)} as own
      order by last_at desc, item_id
      limit ${MAX_CANDIDATES}`,
  );
}

/** Returns what a customer ordered, what they ordered most often first. */
export async function buyAgain(db: Sql, storeId: string, profileId: string): Promise<string[]> {
  return await idsOf(
    db,
    sql<{ id: string }>`
      select item_id as id from ${activityOfCustomer(storeId, sql`${profileId}::uuid`, sql`'ordered'`)} as own
      order by times desc, last_at desc, item_id
      limit ${MAX_CANDIDATES}`,
  );
}
