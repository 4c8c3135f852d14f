import { expect } from 'chai';
import { texts } from '../../src/db/binary-arrays.ts';
import { type Database, openDatabase, SETTINGS_OF_ENGINES, type Sql } from '../../src/db/orm.ts';
import type { Erasing } from '../../src/domain/erasures/erasure.ts';
import { sweepOrderNotes, sweepOrders } from '../../src/domain/erasures/steps/orders.ts';
import type { Merging } from '../../src/domain/merges/merge.ts';
import { moveOrders } from '../../src/domain/merges/orders.ts';
import { countCustomers, MAX_COUNTED } from '../../src/domain/orders/count-customers.ts';
import { findOrder, listOrders } from '../../src/domain/orders/find-orders.ts';
import { intervalsOf } from '../../src/domain/orders/ranges.ts';
import type { EventNote } from '../../src/domain/orders/read-notes.ts';
import { build, readCustomer } from '../../src/domain/orders/reader/build.ts';
import { findUnready } from '../../src/domain/orders/reader/find-unread.ts';
import { lockBuild } from '../../src/domain/orders/reader/lock-build.ts';
import { PLACES } from '../../src/domain/orders/reader/refresh-orders.ts';
import { noteAlone, writeNotes } from '../../src/domain/orders/reader/write-notes.ts';
import { readRevenue } from '../../src/domain/orders/revenue.ts';
import { USUAL_RULE } from '../../src/domain/orders/rule.ts';
import { reportCohorts } from '../../src/domain/reports/cohorts/report.ts';
import { reportCustomers } from '../../src/domain/reports/customers/report.ts';
import type { SweepTools } from '../../src/domain/sweeps/step.ts';
import { newId } from '../../src/ids/uuid-v7.ts';
import { expectFewBlocksAlways } from '../support/blocks.ts';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { TestService } from '../support/service.ts';

/** Orders of a store, of as many customers, and those of one customer more. */
const [MANY, OF_ONE] = [60_000, 10_000];
const TABLES = ['store_order', 'order_note', 'order_quarter', 'customer_value', 'event'];
const CUSTOMER = '01a1f83b-f806-7e4e-a294-c062c525643d';
/** Steps of orders use none. */
const NO_TOOLS = {} as SweepTools;
const NOW = Date.UTC(2026, 10, 20);

describe('Statements of orders, beside very many orders', () => {
  let database: TestDatabase;
  let service: TestService;
  let storeId: string;
  let storeOfFew: string;
  const opened: Database[] = [];

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0', AUTOMATION_CONCURRENCY: '0' }, database);
    for (const name of TABLES.slice(0, 4)) await database.query(`alter table ${name} set (autovacuum_enabled = off)`);
    await database.query('analyze');
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

  const told = (type: string, fields: Partial<EventNote>): EventNote => ({
    ...{ id: newId(), profileId: CUSTOMER, type, at: NOW + 1000, messageId: null, orderId: null },
    ...{ value: '10', currency: 'EUR', ...fields },
  });

  const [ONE, OTHER] = [newId(), newId()];

  /** Of the customer who has very many, and of one who is new. */
  async function write(db: Sql): Promise<void> {
    const orders = [newId(), newId()].map((orderId, i) =>
      told('placed_order', { orderId, ...(i === 1 && { profileId: newId() }) }),
    );
    await writeNotes(db, storeId, orders, USUAL_RULE);
    const again = { orderId: ONE, profileId: OTHER };
    await writeNotes(db, storeId, [told('placed_order', again), told('cancelled_order', again)], USUAL_RULE);
  }

  /** Of an order that is known. */
  async function refund(db: Sql): Promise<void> {
    await writeNotes(db, storeId, [told('refunded_order', { orderId: '30005' })], USUAL_RULE);
    await noteAlone(db, storeId, PLACES(storeId, texts(['30077'])));
  }

  /** In another currency than all others of the customer who has very many, which is then the first and the last one. */
  async function cancel(db: Sql): Promise<void> {
    const other = { orderId: newId(), currency: 'USD' };
    await writeNotes(db, storeId, [told('placed_order', other)], USUAL_RULE);
    await writeNotes(db, storeId, [told('cancelled_order', other)], USUAL_RULE);
  }

  async function list(db: Sql): Promise<void> {
    const all = { profileId: undefined, from: undefined, to: undefined };
    const page = { limit: 20, cursor: undefined };
    const first = await listOrders(db, storeId, all, page);
    await listOrders(db, storeId, all, { limit: 20, cursor: first.next ?? undefined });
    await listOrders(db, storeId, { ...all, profileId: CUSTOMER }, page);
    await listOrders(db, storeId, { ...all, profileId: newId() }, page);
    await listOrders(db, storeId, { ...all, from: new Date(NOW - 9_000), to: new Date(NOW) }, page);
    await findOrder(db, storeId, '1000');
  }

  /** Of a few days with few orders. */
  async function sumUp(db: Sql): Promise<void> {
    const [first, last] = [Temporal.PlainDate.from('2027-02-01'), Temporal.PlainDate.from('2027-02-03')];
    const range = { first, last, zone: 'Europe/Berlin', interval: 'day', compare: 'previous_period' } as const;
    await readRevenue(db, storeId, { ...range, now: NOW }, 'EUR');
    const days = intervalsOf(range);
    const { isEstimated } = await countCustomers(db, storeId, days, [MAX_COUNTED + 1, 0, 0]);
    expect(isEstimated).to.equal(true);
  }

  /** Of a store with few orders, and of months with few: of all of them, or of a part. */
  const tellOfCustomers =
    (maxOrders: number) =>
    async (db: Sql): Promise<void> => {
      const profileId = newId();
      const orders = [0, 1].map((n) => told('placed_order', { profileId, orderId: newId(), at: NOW + n * 86_400_000 }));
      await writeNotes(db, storeOfFew, orders, USUAL_RULE);
      const months = { first: Temporal.PlainDate.from('2027-01-01'), last: Temporal.PlainDate.from('2027-02-03') };
      const asked = { ...months, zone: 'Europe/Berlin', ofStore: 'EUR', currency: undefined };
      const few = { first: Temporal.PlainDate.from('2026-10-01'), last: Temporal.PlainDate.from('2026-11-30') };
      await reportCustomers(db, storeOfFew, { currency: 'EUR', maxOrders });
      await reportCohorts(db, storeOfFew, { ...asked, ...few, maxOrders });
      await reportCohorts(db, storeId, { ...asked, maxOrders });
    };

  /** A part of what is done when all is read anew, which fails: nothing of it stays. */
  async function buildSome(db: Sql): Promise<void> {
    const undone = new Error('undone');
    const work = async (tx: Sql) => {
      const at = await lockBuild(tx, storeId);
      await readCustomer(tx, storeId, CUSTOMER, at, undefined);
      await build(tx, storeId, { ...at, stage: 'reading' });
      throw undone;
    };
    await db
      .transaction()
      .execute(work)
      .catch((error: unknown) => {
        if (error !== undone) throw error;
      });
  }

  /** Of a customer who has few orders; she has them again afterwards. */
  async function sweep(db: Sql): Promise<void> {
    const [profileId, winnerId] = [newId(), newId()];
    await writeNotes(db, storeId, [told('placed_order', { profileId, orderId: newId() })], USUAL_RULE);
    await moveOrders(db, { storeId, profileId, winnerId } as Merging, '', NO_TOOLS);
    const erasing = { storeId, profileId: winnerId, identifiers: [] } as unknown as Erasing;
    for (const events of ['anonymise', 'delete'] as const) {
      await sweepOrders(db, { ...erasing, events }, '', NO_TOOLS);
      await sweepOrders(db, { ...erasing, events }, 'all is read', NO_TOOLS);
      await sweepOrderNotes(db, { ...erasing, events }, '', NO_TOOLS);
    }
  }

  const works: Record<string, (db: Sql) => Promise<unknown>> = {
    'find stores whose events are to be read': findUnready,
    'write orders': write,
    'write a refund': refund,
    'write a cancellation': cancel,
    'list orders and find one': list,
    'sum up few orders': sumUp,
    'tell of few customers': tellOfCustomers(1_000),
    'tell of a part of few customers': tellOfCustomers(0),
    'begin to read events anew': buildSome,
    'move orders to another customer, and erase them': sweep,
  };

  it('estimate the customers of very many orders, one of whom has a seventh of these', async () => {
    const other = await service.newStore();
    await database.query(rowsOf(other));
    const span = { from: NOW - 366 * 86_400_000, to: NOW };
    const count = async (orders: number) =>
      (await countCustomers((await open(SETTINGS_OF_ENGINES)).sql, other, [span], [orders])).customers;
    for (const customers of [(await count(1)).get(1), (await count(1)).get(null)]) expect(customers).to.equal(MANY + 1);
    // Chance makes more than this of one of a million runs.
    const estimated = await count(MANY + OF_ONE);
    for (const n of [1, null]) expect(estimated.get(n)).to.be.within(0.94 * MANY, 1.06 * MANY);
  });

  it('touch few rows, with whatever statistics they were planned', async () => {
    [storeId, storeOfFew] = [await service.newStore(), await service.newStore()];
    await expectFewBlocksAlways(works, {
      open,
      query: (sql) => database.query(sql),
      rows: rowsOf(storeId),
      tables: TABLES,
    });
  });
});

/** One order in four has a refund, too. */
function rowsOf(storeId: string): string {
  const now = `timestamptz '${new Date(NOW).toISOString()}'`;
  return `
    drop table if exists given;
    create temporary table given as
    select n, uuidv7() as event_id, case when n <= ${OF_ONE} then '${CUSTOMER}' else uuidv7() end as profile_id,
      ${now} - n * interval '1 minute' as at
    from generate_series(1, ${MANY + OF_ONE}) n;
    insert into store_order (store_id, order_id, event_id, profile_id, placed_at, currency, amount, refunded, event_count,
      is_noted)
    select '${storeId}'::uuid, n, event_id, profile_id, at, 'EUR', 10, case when n % 4 = 0 then 1 else 0 end, 1, n % 4 = 0
    from given;
    insert into order_note (store_id, event_id, order_id, kind, profile_id, noted_at, currency, amount)
    select '${storeId}'::uuid, event_id, n, 'placed', profile_id, at, 'EUR', 10 from given where n % 4 = 0
    union all
    select '${storeId}'::uuid, uuidv7(), n, 'refunded', profile_id, at, 'EUR', 1 from given where n % 4 = 0;
    insert into order_quarter (store_id, start, currency, orders, amount, refunded, cancelled)
    select '${storeId}'::uuid, date_bin('15 minutes', at, 'epoch'), 'EUR', count(*), 10 * count(*), 0, 0 from given group by 2
    on conflict do nothing;
    insert into customer_value (store_id, profile_id, currency, orders, amount, refunded, first_at, last_at)
    select '${storeId}'::uuid, profile_id, 'EUR', count(*), 10 * count(*), 0, min(at), max(at) from given group by 2
    on conflict (store_id, profile_id, currency) do update
    set first_at = least(customer_value.first_at, excluded.first_at)`;
}
