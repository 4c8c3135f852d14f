import { type Database, openDatabase, type Sql } from '../../src/db/orm.ts';
import { storesWithUnread } from '../../src/domain/feed/readers.ts';
import { credit } from '../../src/domain/tracking/attribution/credit.ts';
import { readReport, readRevenueOf, readTotals } from '../../src/domain/tracking/attribution/report.ts';
import { writeOrders, writeRefunds } from '../../src/domain/tracking/attribution/write-orders.ts';
import { ordersAfter, writeTouches } from '../../src/domain/tracking/attribution/write-touches.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { READERS } from '../../src/work/attribution.ts';
import { Shop } from '../messages/support/shop.ts';
import { expectFewBlocksAlways } from '../support/blocks.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

/** Orders and clicks of a store, the clicks of one customer among them. */
const [MANY, OF_ONE] = [60_000, 10_000];
const TABLES = ['attribution', 'message_touch', 'message'];
const [CUSTOMER, CAMPAIGN, MESSAGE] = [
  ...['01a1f83b-f806-7e4e-a294-c062c525643d', '01a1f853-7d20-7a61-8e3c-5f90b2d7c418'],
  '01a1f853-8f40-7b13-a6d5-0c72e94f1b86',
] as const;
const [NOW, DAY_MS] = [Date.UTC(2026, 10, 20), 86_400_000];
const RULE = { conversionTypes: ['order'], refundTypes: ['refund'], clickWindow: 'P5D', openWindow: 'P1D' };

describe('Statements of attribution, beside very many orders and clicks', () => {
  let database: TestDatabase;
  /** Credits nothing itself. */
  let service: TestService;
  let shop: Shop;
  const opened: Database[] = [];

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0', AUTOMATION_CONCURRENCY: '0' }, database);
    shop = await Shop.open(service);
    for (const name of TABLES) await shop.query(`alter table ${name} set (autovacuum_enabled = off)`);
    await shop.query('analyze');
  });
  after(async () => {
    for (const one of opened) await one.close();
    await service.stop();
  });

  async function open(settings: Parameters<typeof openDatabase>[2]): Promise<Database> {
    const one = await openDatabase(database.url, 1, settings);
    opened.push(one);
    return one;
  }

  /** An order of the customer who has clicked very often, which is refunded; and a click that came before it. */
  async function follow(db: Sql): Promise<void> {
    const { storeId } = shop;
    const [id, at] = [newId(), NOW - 200 * DAY_MS];
    const order = { id, profileId: CUSTOMER, at: NOW, orderId: id, amount: '10', currency: 'EUR' };
    await credit(db, storeId, await writeOrders(db, storeId, [order], RULE));
    await writeRefunds(db, storeId, [{ ...order, id: newId(), isWhole: false }], RULE);
    const touch = { profileId: newId(), messageId: MESSAGE, kind: 'click', at } as const;
    await credit(db, storeId, await ordersAfter(db, storeId, [touch, { ...touch, profileId: CUSTOMER }]));
    await writeTouches(db, storeId, [touch]);
  }

  /** Of a day with no orders, and of a campaign with few. */
  async function sumUp(db: Sql): Promise<void> {
    const from = NOW + 100 * DAY_MS;
    const range = { sourceId: undefined, zone: 'Europe/Berlin', from, to: from + DAY_MS };
    for (const groupBy of ['source', 'campaign', 'step', 'day'] as const) {
      await readReport(db, shop.storeId, { ...range, groupBy });
      await readTotals(db, shop.storeId, { ...range, groupBy });
    }
    await readRevenueOf(db, shop.storeId, CAMPAIGN);
  }

  const works: Record<string, (db: Sql) => Promise<unknown>> = {
    'find stores that have changes': (db) => storesWithUnread(db, READERS),
    'write an order, its refund and a click, and credit the order': follow,
    'sum up few orders': sumUp,
  };

  it('touch few rows, with whatever statistics they were planned', async () => {
    await expectFewBlocksAlways(works, {
      open,
      query: (sql) => shop.query(sql),
      rows: rowsOf(shop.storeId),
      tables: TABLES,
    });
  });
});

/** One order in three led from a message; few of them from our campaign. */
function rowsOf(storeId: string): string {
  const now = `timestamptz '${new Date(NOW).toISOString()}'`;
  return `
    insert into message (store_id, id, profile_id, sender_id, template_version, source, source_id, channel, class, status,
      created_at)
    values ('${storeId}', '${MESSAGE}', '${CUSTOMER}', '${MESSAGE}', 1, 'campaign', '${CAMPAIGN}', 'email', 'marketing',
      'sent', now());
    insert into message_touch (store_id, profile_id, touched_at, message_id, kind)
    select '${storeId}', uuidv7(), ${now} - n * interval '1 s', '${MESSAGE}', 'click' from generate_series(1, ${MANY}) n;
    insert into message_touch (store_id, profile_id, touched_at, message_id, kind)
    select '${storeId}', '${CUSTOMER}', ${now} - n * interval '1 s', '${MESSAGE}', 'click'
    from generate_series(1, ${OF_ONE}) n;
    insert into attribution (store_id, event_id, profile_id, ordered_at, click_window_ms, is_placed, order_id, value,
      message_id, source_id, source)
    select '${storeId}', uuidv7(), uuidv7(), ${now} - n * interval '1 minute', 1, true, n, 10,
      case when n % 3 = 0 then uuidv7() end, case when n % 3 = 0 then '${MESSAGE}'::uuid end,
      case when n % 3 = 0 then 'campaign' end
    from generate_series(1, ${MANY}) n`;
}
