import { type Database, openDatabase, SETTINGS_OF_REQUESTS, type Sql } from '../../src/db/orm.ts';
import { favouritesOf } from '../../src/domain/catalog/activity/favourites.ts';
import { writeActivity } from '../../src/domain/catalog/activity/write-activity.ts';
import { deleteItems } from '../../src/domain/catalog/delete-items.ts';
import { findEventItems } from '../../src/domain/catalog/find-event-items.ts';
import { findNamedItems } from '../../src/domain/catalog/find-named-items.ts';
import { alsoBought, buyAgain, recentlyViewed } from '../../src/domain/catalog/recommendations/compute.ts';
import { searchItems } from '../../src/domain/catalog/search-items.ts';
import type { ItemSearch } from '../../src/domain/catalog/search-routes.ts';
import { startSync } from '../../src/domain/catalog/syncs.ts';
import { updateStock } from '../../src/domain/catalog/write/update-stock.ts';
import { writeItems } from '../../src/domain/catalog/write/write-items.ts';
import { Shop } from '../messages/support/shop.ts';
import { expectFewBlocks } from '../support/blocks.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

/** Items, each with a variant and a few words. */
const MANY = 30_000;
const TABLES = [
  'catalog_item',
  'catalog_variant',
  'catalog_word',
  'catalog_item_category',
  'catalog_category',
  'item_activity',
];

const SEARCHES: Record<string, ItemSearch> = {
  'a word of few': { text: 'rare00007' },
  'a word of all and one of few': { text: 'tea rare00007' },
  'what nothing is hidden of': { text: 'rare00007', status: 'hidden' },
  'a category': { category: 'C-1' },
  'a brand': { brand: 'B-1' },
  'what has changed since': { updatedSince: new Date(Date.now() - 3_600_000) },
  'any, in the order of ids': {},
};

describe('Statements of the catalog, beside very many items', () => {
  let database: TestDatabase;
  let service: TestService;
  let shop: Shop;
  const opened: Database[] = [];

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({}, database);
    shop = await Shop.open(service);
    for (const name of TABLES) await shop.query(`alter table ${name} set (autovacuum_enabled = off)`);
    await shop.query('analyze');
  });
  after(async () => {
    for (const one of opened) await one.close();
    await service.stop();
  });

  async function open(): Promise<Database> {
    const one = await openDatabase(database.url, 1, SETTINGS_OF_REQUESTS);
    opened.push(one);
    return one;
  }

  /** What this touches is counted now, rather than when something is measured. */
  async function change(statement: string): Promise<void> {
    await shop.query(`${statement}; select pg_stat_force_next_flush()`);
  }

  const ids = ['I-00007', 'I-20007', 'NEW-1'];
  const item = (id: string, title: string) => ({
    ...{ id, fields: { title, sku: `S-${id}` }, isBackfill: false, replacesVariants: true, categories: ['C-1'] },
    variants: [{ id: `${id}-V`, fields: { stock: 3 } }],
  });
  let turn = 0;
  const works: Record<string, (db: Sql) => Promise<unknown>> = {
    'write some': (db) => {
      turn += 1;
      const items = ids.map((id) => item(id, `Sencha ${turn}`));
      return writeItems(db, shop.storeId, items, {});
    },
    'set the stock of some': (db) => {
      const updates = ids.map((id, n) => ({ target: { variantId: `${id}-V` }, fields: { stock: n }, at: new Date() }));
      return updateStock(db, shop.storeId, updates, { isBackfill: false });
    },
    'find the items of events': async (db) => {
      await findEventItems(db, shop.storeId, [{ items: [...ids, 'V-00009', 'SKU-00011'].map((id) => ({ id })) }]);
      await findNamedItems(db, shop.storeId, [{ ids: ['V-00009'], variantIds: ['V-00010'], skus: ['SKU-00011'] }]);
    },
    'begin to load all': async (db) => {
      const { id } = await startSync(db, shop.storeId);
      await writeItems(db, shop.storeId, [item('I-00007', 'Oolong')], { syncId: id });
    },
    'write down what customers did': (db) =>
      db.transaction().execute((tx) =>
        writeActivity(
          tx,
          shop.storeId,
          ids.map((itemId, n) => ({ profileId: customer(n + 1), kind: 'ordered' as const, itemId, at: Date.now() })),
        ),
      ),
    'find what to recommend': async (db) => {
      await alsoBought(db, shop.storeId, 'I-00007');
      await recentlyViewed(db, shop.storeId, customer(7));
      await buyAgain(db, shop.storeId, customer(7));
      await favouritesOf(db, shop.storeId, customer(7));
    },
    'delete some': (db) => deleteItems(db, shop.storeId, ids),
    ...Object.fromEntries(
      Object.entries(SEARCHES).map(([name, search]) => [
        `search for ${name}`,
        (db: Sql) => searchItems(db, shop.storeId, search, { limit: 20, cursor: undefined }),
      ]),
    ),
  };

  it('touch few rows, with whatever statistics they were planned', async () => {
    const early = (await open()).sql;
    for (const work of Object.values(works)) await work(early);
    await change(rowsOf(shop.storeId));
    // Planned while statistics said that all was empty; planned now, while they still do; and once they are right.
    await expectFewBlocks(early, works);
    await expectFewBlocks((await open()).sql, works);
    await change(`analyze ${TABLES.join(', ')}`);
    await expectFewBlocks(early, works);
    await expectFewBlocks((await open()).sql, works);
  });
});

const customer = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

function rowsOf(storeId: string): string {
  return `
    insert into catalog_category (store_id, id, title, created_at, updated_at)
    select '${storeId}', 'C-' || n, 'C', now(), now() from generate_series(0, 9) n;
    with item as materialized (
      select n, lpad(n::text, 5, '0') as no, array['rare' || lpad(n::text, 5, '0'), 'tea'] as words from generate_series(1, ${MANY}) n
    ), found as (
      insert into catalog_word (store_id, word, item_id)
      select '${storeId}', word, 'I-' || no from item cross join lateral unnest(words) as w (word)
    ), done as (
      insert into item_activity (store_id, profile_id, kind, item_id, times, first_at, last_at)
      select '${storeId}', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, kind, 'I-' || no, 1, now(), now()
      from item cross join unnest(array['viewed', 'ordered']) as kind
    ), sorted as (
      insert into catalog_item_category (store_id, category_id, item_id)
      select '${storeId}', 'C-' || n % 10, 'I-' || no from item
    ), sold as (
      insert into catalog_variant (store_id, id, item_id, sku, stock, stock_at, created_at, updated_at)
      select '${storeId}', 'V-' || no, 'I-' || no, 'SKU-' || no, 5, now(), now(), now() from item
    )
    insert into catalog_item (store_id, id, title, brand, words, stock_at, created_at, updated_at)
    select '${storeId}', 'I-' || no, 'Tea rare' || n, 'B-' || n % 10, words, now(), now(),
      now() - (n % 500) * interval '1 day'
    from item`;
}
