import { expect } from 'chai';
import fc from 'fast-check';
import { openDatabase } from '../../src/db/orm.ts';
import { assignPositions } from '../../src/domain/feed/positions.ts';
import { addFeedReader } from '../../src/domain/feed/readers.ts';
import { READER } from '../../src/domain/orders/reader/find-unread.ts';
import { readOrders } from '../../src/domain/orders/reader/read-orders.ts';
import { changeOrderSettings } from '../../src/domain/orders/settings.ts';
import { NOBODY } from '../../src/ids/nobody.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { naive, type Told } from './support/naive.ts';

const ROUNDS = Number(process.env.ORDER_ROUNDS ?? 6);
const START = Date.parse('2025-03-09T04:50:00Z');

const told = fc.record<Told>({
  type: fc.constantFrom('placed_order', 'placed_order', 'refunded_order', 'refunded_order', 'cancelled_order'),
  order: fc.constantFrom(undefined, 'A', 'B', 'C', 'D', 'E', 'F'),
  customer: fc.constantFrom('ada', 'eve', 'bob'),
  // Some at the same time, some in another quarter of an hour.
  at: fc.integer({ min: 0, max: 12 }).map((n) => START + n * 240_000),
  value: fc.constantFrom(undefined, '0.1', '0.2', '0.3', '1500', '33.333333', '0.0000004', 'dear', '1e2', '-5'),
  currency: fc.constantFrom(undefined, 'EUR', 'usd', 'JPY', 'euros'),
});

describe('Orders and their sums', () => {
  let service: TestService;

  before(async () => {
    // Orders are read by the test alone.
    service = await TestService.start({ MESSAGE_CONCURRENCY: '0' });
  });
  after(() => service.stop());

  it('are those of a naive recomputation, whatever the order of events, and however they are read', async function () {
    this.timeout(120_000);
    const database = await openDatabase(service.database.url, 2, {});
    const history = fc.array(fc.array(told, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(
      history,
      fc.constantFrom('before', 'between', 'anew'),
      async (batches, reading) => {
        const storeId = await service.newStore();
        const client = (await service.client()).as((await service.newKey({ storeId })).key);
        if (reading === 'between') await addFeedReader(database.sql, { storeId, name: READER });
        const known: (Told & { id: string })[] = [];
        for (const batch of batches) {
          const { body } = await client.post('/v1/events/bulk', { events: batch.map(toEvent) }, { expect: 201 });
          for (const [i, one] of batch.entries()) known.push({ ...one, id: body.events[i].id });
          if (reading === 'between') while (await readOrders(database.sql, storeId));
        }
        await addFeedReader(database.sql, { storeId, name: READER });
        await assignPositions(database.sql, storeId);
        while (await readOrders(database.sql, storeId));
        if (reading === 'anew') {
          await changeOrderSettings(database.sql, storeId, { placedTypes: ['placed_order', 'sold'] });
          await readOrders(database.sql, storeId);
          while (await readOrders(database.sql, storeId));
        }
        expect(await stored(storeId)).to.deep.equal(naive(known));
      },
    );
    await fc.assert(property, { numRuns: ROUNDS, seed: 46 });
    await database.close();
  });

  async function stored(storeId: string) {
    const orders = await service.database.query(`
      select order_id as id, event_id as "eventId", (extract(epoch from placed_at) * 1000)::float8 as at, currency,
        trim_scale(amount)::text as amount, trim_scale(refunded)::text as refunded,
        (extract(epoch from cancelled_at) * 1000)::float8 as "cancelledAt", event_count as events
      from store_order where store_id = '${storeId}' order by order_id collate "C"`);
    const sums = await service.database.query(`
      select (extract(epoch from start) * 1000)::float8 as start, currency, orders, cancelled,
        trim_scale(amount)::text as amount, trim_scale(refunded)::text as refunded, first_orders as "firstOrders"
      from order_quarter
      where store_id = '${storeId}'
        and (orders <> 0 or cancelled <> 0 or amount <> 0 or refunded <> 0 or first_orders <> 0)
      order by start, currency collate "C"`);
    const customers = await service.database.query(`
      select i.value as customer, currency, orders, trim_scale(amount)::text as amount,
        trim_scale(refunded)::text as refunded, (extract(epoch from first_at) * 1000)::float8 as "firstAt",
        (extract(epoch from last_at) * 1000)::float8 as "lastAt"
      from customer_value v
      left join profile_identifier i on i.store_id = v.store_id and i.profile_id = v.profile_id and i.kind = 'external_id'
      where v.store_id = '${storeId}' order by i.value collate "C", currency collate "C"`);
    return { orders, sums, customers };
  }

  /** The sums of a store's orders, as they are kept, and worked out anew. */
  async function summed(storeId: string) {
    const sums = `orders, trim_scale(amount)::text as amount, trim_scale(refunded)::text as refunded`;
    const kept = {
      customers: await service.database.query(`
        select profile_id, currency, ${sums}, first_at, last_at from customer_value
        where store_id = '${storeId}' order by 1, 2`),
      quarters: await service.database.query(`
        select start, currency, ${sums}, cancelled, first_orders from order_quarter
        where store_id = '${storeId}' and (orders <> 0 or cancelled <> 0 or amount <> 0 or first_orders <> 0)
        order by 1, 2`),
    };
    const made = `
      with o as (
        select *, coalesce(currency, '') as money, coalesce(amount, 0) as cost, cancelled_at is null as is_kept,
          row_number() over (
            partition by profile_id, cancelled_at is null order by placed_at, coalesce(currency, ''), order_id
          ) = 1 and cancelled_at is null and profile_id <> '${NOBODY}' as is_first
        from store_order where store_id = '${storeId}'
      )`;
    const anew = {
      customers: await service.database.query(`${made}
        select profile_id, money as currency, count(*)::int as orders, trim_scale(sum(cost))::text as amount,
          trim_scale(sum(refunded))::text as refunded, min(placed_at) as first_at, max(placed_at) as last_at
        from o where is_kept and profile_id <> '${NOBODY}' group by 1, 2 order by 1, 2`),
      quarters: await service.database.query(`${made}
        select date_bin('15 minutes', placed_at, 'epoch') as start, money as currency,
          (count(*) filter (where is_kept))::int as orders,
          trim_scale(coalesce(sum(cost) filter (where is_kept), 0))::text as amount,
          trim_scale(coalesce(sum(refunded) filter (where is_kept), 0))::text as refunded,
          (count(*) filter (where not is_kept))::int as cancelled, (count(*) filter (where is_first))::int as first_orders
        from o group by 1, 2 order by 1, 2`),
    };
    return { kept, anew };
  }

  it('have what customers ordered who are erased while all is read anew', async function () {
    this.timeout(60_000);
    const database = await openDatabase(service.database.url, 2, {});
    const order = { ...NOTHING, type: 'placed_order', customer: 'bob', value: '10', currency: 'EUR' };
    const events = ['A', 'B', undefined].map((number) => ({ ...order, order: number }));
    events.push({ ...order, order: 'B', type: 'refunded_order', value: '4' });
    for (const steps of [0, 1, 2, 3]) {
      const storeId = await service.newStore();
      const client = (await service.client()).as((await service.newKey({ storeId })).key);
      await client.post('/v1/events/bulk', { events: events.map(toEvent) }, { expect: 201 });
      await addFeedReader(database.sql, { storeId, name: READER });
      await assignPositions(database.sql, storeId);
      while (await readOrders(database.sql, storeId));
      await changeOrderSettings(database.sql, storeId, { placedTypes: ['placed_order', 'sold'] });
      for (let i = 0; i < steps; i += 1) await readOrders(database.sql, storeId);
      await erase(client, 'bob', 'anonymise');
      while (await readOrders(database.sql, storeId));
      const [sum] = (await stored(storeId)).sums;
      expect(sum, `after ${steps} steps`).to.include({ orders: 3, amount: '30', refunded: '4', firstOrders: 0 });
      const { kept, anew } = await summed(storeId);
      expect(kept).to.deep.equal(anew);
    }
    await database.close();
  });

  it('stay those of the orders when customers are merged and erased', async function () {
    this.timeout(120_000);
    const database = await openDatabase(service.database.url, 2, {});
    const property = fc.asyncProperty(
      fc.array(told, { minLength: 8, maxLength: 40 }),
      fc.subarray(['merge', 'anonymise', 'delete'] as const, { minLength: 1 }),
      async (events, changes) => {
        const storeId = await service.newStore();
        const client = (await service.client()).as((await service.newKey({ storeId })).key);
        const everybody = ['ada', 'eve', 'bob'].map((customer) => ({ ...NOTHING, customer }));
        await client.post('/v1/events/bulk', { events: [...everybody, ...events].map(toEvent) }, { expect: 201 });
        await addFeedReader(database.sql, { storeId, name: READER });
        await assignPositions(database.sql, storeId);
        while (await readOrders(database.sql, storeId));
        for (const change of changes) {
          await CHANGES[change](client);
          const { kept, anew } = await summed(storeId);
          expect(kept).to.deep.equal(anew);
        }
      },
    );
    await fc.assert(property, { numRuns: Math.ceil(ROUNDS / 2), seed: 47 });
    await database.close();
  });
});

const NOTHING: Told = {
  type: 'seen',
  order: undefined,
  customer: 'ada',
  at: START,
  value: undefined,
  currency: undefined,
};

const idOf = async (client: Client, customer: string): Promise<string> =>
  (await client.get(`/v1/profiles?external_id=${customer}`, { expect: 200 })).body.profiles[0].id;

async function erase(client: Client, customer: string, events: 'anonymise' | 'delete'): Promise<void> {
  const { id } = (await client.post('/v1/erasures', { external_id: customer, events }, { expect: 202 })).body;
  await until(
    async () => (await client.get(`/v1/erasures/${id}`)).body.status === 'complete',
    'the customer is erased',
  );
}

/** Each of other customers. */
const CHANGES = {
  async merge(client: Client) {
    const [winner, loser] = [await idOf(client, 'ada'), await idOf(client, 'eve')];
    await client.post(`/v1/profiles/${winner}/merge`, { from: loser }, { expect: 202 });
    await until(
      async () => (await client.get('/v1/merges')).body.merges.every(({ status }: any) => status === 'complete'),
      'all is merged',
    );
  },
  anonymise: async (client: Client) => await erase(client, 'bob', 'anonymise'),
  delete: async (client: Client) => await erase(client, 'ada', 'delete'),
};

function toEvent({ type, order, customer, at, value, currency }: Told) {
  return {
    event_type: type,
    profile: { external_id: customer },
    occurred_at: new Date(at).toISOString(),
    properties: { order_id: order, value, currency },
  };
}
