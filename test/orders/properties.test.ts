import { expect } from 'chai';
import fc from 'fast-check';
import { openDatabase } from '../../src/db/orm.ts';
import { assignPositions } from '../../src/domain/feed/positions.ts';
import { addFeedReader } from '../../src/domain/feed/readers.ts';
import { READER } from '../../src/domain/orders/reader/find-unread.ts';
import { readOrders } from '../../src/domain/orders/reader/read-orders.ts';
import { changeOrderSettings } from '../../src/domain/orders/settings.ts';
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
        trim_scale(amount)::text as amount, trim_scale(refunded)::text as refunded
      from order_quarter where store_id = '${storeId}' and (orders <> 0 or cancelled <> 0 or amount <> 0 or refunded <> 0)
      order by start, currency collate "C"`);
    return { orders, sums };
  }
});

function toEvent({ type, order, customer, at, value, currency }: Told) {
  return {
    event_type: type,
    profile: { external_id: customer },
    occurred_at: new Date(at).toISOString(),
    properties: { order_id: order, value, currency },
  };
}
