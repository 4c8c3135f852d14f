import { sql } from 'kysely';
import type { Stage, Store } from '../automations/stage.ts';

const TITLES = ['Darjeeling', 'Sencha', 'Assam', 'Oolong', 'Matcha', 'Rooibos', 'Earl Grey', 'Jasmine'];
const SIZES = ['50 g', '100 g'];

/** An item as a shop sends it: with a text, a picture, attributes and two variants. */
export function itemOf(n: number, variants = SIZES.length): object {
  const id = `I-${n}`;
  const title = `${TITLES[n % TITLES.length]} No. ${n}`;
  return {
    id,
    ...{ title, brand: `Brand ${n % 500}`, url: `https://shop.example/items/${n}` },
    ...{
      image_url: `https://shop.example/images/${n}.jpg`,
      description: `${title}. ${'Grown in the mountains. '.repeat(8)}`,
    },
    attributes: { origin: 'IN', organic: n % 2 === 0, grams: n % 500 },
    variants: SIZES.slice(0, variants).map((size, i) => ({
      id: `${id}-${i}`,
      ...{ sku: `SKU-${n}-${i}`, options: { Size: size }, stock: n % 40 },
      prices: { EUR: { price: 9.9 + i, compare_at: 12.9 + i } },
    })),
  };
}

/** Stores items without variants, with the words by which they are found, of which one in a thousand has a word in common. */
export async function storeItems(stage: Stage, { id: storeId }: Store, count: number): Promise<void> {
  const step = 100_000;
  for (let from = 0; from < count; from += step) {
    await sql`
      with item as materialized (
        select 'I-' || lpad(n::text, 7, '0') as id, n,
          array['item', 'group' || n % 1000, 'tea', 'no', n::text] as words
        from generate_series(${from}::int, ${Math.min(count, from + step) - 1}::int) n
      ), found as (
        insert into catalog_word (store_id, word, item_id)
        select distinct ${storeId}::uuid, word, id from item cross join lateral unnest(words) as w (word)
      ), sorted as (
        insert into catalog_item_category (store_id, category_id, item_id)
        select ${storeId}, 'C-' || n % 50, id from item
      )
      insert into catalog_item (store_id, id, title, brand, prices, stock, words, stock_at, created_at, updated_at)
      select ${storeId}, id, 'Item group' || n % 1000 || ' tea no ' || n, 'Brand ' || n % 500, '{"EUR": {"price": 9.9}}', n % 40,
        words, now(), now(), now() - n * interval '1 second'
      from item`.execute(stage.sql);
    process.stderr.write(`\rstored ${from + step} items   `);
  }
  await sql`
    insert into catalog_category (store_id, id, title, created_at, updated_at)
    select ${storeId}, 'C-' || n, 'Category ' || n, now(), now() from generate_series(0, 49) n`.execute(stage.sql);
  await sql`
    insert into catalog_count (store_id, items) values (${storeId}, ${count})
    on conflict (store_id) do update set items = excluded.items`.execute(stage.sql);
}

/** Stores what customers ordered: each of them several of the items, the first of which sell best. */
export async function storeOrders(
  stage: Stage,
  { id: storeId }: Store,
  { customers, items }: { customers: number; items: number },
): Promise<string[]> {
  await sql`
    insert into item_activity (store_id, profile_id, kind, item_id, times, first_at, last_at)
    select distinct on (profile_id, item) ${storeId}::uuid, profile_id, 'ordered', 'I-' || lpad(item::text, 7, '0'), 1,
      now() - interval '9 days', now() - n * interval '1 second'
    from (select n, uuidv7() as profile_id from generate_series(1, ${customers}::int) n) as customer
    cross join lateral (
      -- So that it is drawn for each of them.
      select floor(power(random(), 3) * ${items}::int)::int as item from generate_series(1, 8 + 0 * n)
    ) as ordered`.execute(stage.sql);
  await sql`
    insert into item_activity (store_id, profile_id, kind, item_id, times, first_at, last_at)
    select store_id, profile_id, 'viewed', item_id, times, first_at, last_at from item_activity
    where store_id = ${storeId} and kind = 'ordered'`.execute(stage.sql);
  await sql`
    insert into item_day (store_id, day, item_id, views, carts, orders)
    select ${storeId}, current_date - day, 'I-' || lpad(item::text, 7, '0'), 20, 5, 1 + ${items}::int / (item + 1)
    from generate_series(0, 29) day cross join generate_series(0, least(${items}::int, 20000) - 1) item`.execute(
    stage.sql,
  );
  const { rows } = await sql<{ id: string }>`
    select distinct profile_id as id from item_activity where store_id = ${storeId} limit 500`.execute(stage.sql);
  return rows.map(({ id }) => id);
}
