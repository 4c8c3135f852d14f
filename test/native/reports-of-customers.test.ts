import { expect } from 'chai';
import { type OrmDatabase, openOrm, SETTINGS_OF_ENGINES } from '../../src/db/orm.ts';
import { reportCohorts } from '../../src/domain/reports/cohorts/report.ts';
import { reportCustomers } from '../../src/domain/reports/customers/report.ts';
import { Random } from '../segments/support/random.ts';
import type { Client } from '../support/client.ts';
import { holdTable } from '../support/obstacles.ts';
import { ordersSettled } from '../support/orders-settled.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { naiveCohorts, naiveCustomers, type Ordered } from './support/naive-reports.ts';

const DAY = 86_400_000;
const START = Date.parse('2025-01-01T00:00:00Z');

let service: TestService;
let client: Client;
let storeId: string;
let database: OrmDatabase;

before(async () => {
  service = await TestService.start();
  database = await openOrm(service.database.url, 1, SETTINGS_OF_ENGINES);
});
after(async () => {
  await database?.close();
  await service?.stop();
});
beforeEach(async () => {
  storeId = await service.newStore();
  client = (await service.client()).as((await service.newKey({ storeId })).key);
});

/** A day of 2025, from 1 on, at noon. */
const day = (n: number) => START + (n - 0.5) * DAY;

async function send(orders: readonly Partial<Ordered>[]): Promise<void> {
  const events = orders.flatMap(({ who = 'ada', at = day(1), cents = 1000n, currency, back, isCancelled }, n) => {
    const event = (event_type: string, value?: bigint, later = 0) => ({
      event_type,
      profile: { external_id: who },
      occurred_at: new Date(at + later).toISOString(),
      properties: { order_id: `${n}`, ...(value !== undefined && { value: `${Number(value) / 100}` }), currency },
    });
    return [
      event('placed_order', cents),
      ...(back ? [event('refunded_order', back, 1000)] : []),
      ...(isCancelled ? [event('cancelled_order', undefined, 2000)] : []),
    ];
  });
  for (let from = 0; from < events.length; from += 500)
    await client.post('/v1/events/bulk', { events: events.slice(from, from + 500) }, { expect: 201 });
  await ordersSettled(service, storeId);
}

const customers = async () => (await client.get<any>('/v1/reports/customers', { expect: 200 })).body;
const cohorts = async (search: string) =>
  (await client.get<any>(`/v1/reports/cohorts?${search}`, { expect: 200 })).body;
const change = (changes: object) =>
  client.send('PATCH', '/v1/store', JSON.stringify(changes), {
    headers: { 'Content-Type': 'application/json' },
    expect: 200,
  });

async function erase(external_id: string): Promise<void> {
  const { body } = await client.post<any>('/v1/erasures', { external_id, events: 'anonymise' }, { expect: 202 });
  const isErased = async () => (await client.get<any>(`/v1/erasures/${body.id}`)).body.status === 'complete';
  await until(isErased, 'the customer is erased');
}

describe('GET /v1/reports/customers', () => {
  it('tells who ordered again, after how long, and what customers paid, without what was cancelled or is nobody’s', async () => {
    await send([
      { who: 'ada', at: day(1), cents: 1000n, currency: 'EUR' },
      { who: 'ada', at: day(11), cents: 2050n, currency: 'EUR', back: 50n },
      { who: 'ada', at: day(41), cents: 500n, currency: 'USD' },
      { who: 'bob', at: day(2), cents: 100n, currency: 'EUR' },
      { who: 'eve', at: day(3), cents: 70n, currency: 'EUR' },
      { who: 'eve', at: day(4), cents: 9900n, currency: 'EUR', isCancelled: true },
      { who: 'ian', at: day(5), cents: 9900n, currency: 'EUR', isCancelled: true },
      { who: 'gone', at: day(5), currency: 'EUR' },
    ]);
    await erase('gone');
    const { distribution, computed_at, ...body } = await customers();
    expect(body).to.deep.equal({
      is_complete: true,
      is_cut: false,
      is_estimated: false,
      profile_count: 3,
      repeat_profile_count: 1,
      order_count: 5,
      repeat_rate: 1 / 3,
      orders_per_profile: 5 / 3,
      seconds_between_orders: { lower_quartile: 15 * 86_400, median: 20 * 86_400, upper_quartile: 25 * 86_400 },
      lifetime_values: [
        { currency: 'EUR', profile_count: 3, average_amount: '10.567', median_amount: '1' },
        { currency: 'USD', profile_count: 1, average_amount: '5', median_amount: '5' },
      ],
    });
    expect(distribution.map((one: any) => [one.from, one.to, one.profile_count])).to.deep.equal([
      [1, 1, 2],
      [2, 2, 0],
      [3, 3, 1],
      [4, 4, 0],
      [5, 5, 0],
      [6, 10, 0],
      [11, 20, 0],
      [21, null, 0],
    ]);
    expect(Date.parse(computed_at)).to.be.at.most(Date.now());
  });

  it('answers for a minute from what was worked out', async () => {
    await send([{}]);
    const { computed_at } = await customers();
    await send([{}, {}]);
    expect(await customers()).to.include({ computed_at, order_count: 1 });
  });

  it('takes what names no currency for that of the store, and is empty without orders', async () => {
    expect(await customers()).to.deep.include({
      profile_count: 0,
      repeat_rate: null,
      seconds_between_orders: null,
      lifetime_values: [],
    });
    await send([{ currency: 'EUR' }, { at: day(2) }]);
    const { values } = await reportCustomers(database.sql, storeId, { currency: 'EUR' });
    expect(values).to.deep.equal([{ currency: 'EUR', profiles: 1, average: '20', median: '20' }]);
  });

  it('says clearly when it takes too long', async () => {
    const release = await holdTable(service.database, 'store_order');
    try {
      const { body } = await client.get<any>('/v1/reports/customers', { expect: 502 });
      expect(body.error).to.include({ code: 'upstream_error' });
      expect(body.error.message).to.include('too long');
    } finally {
      await release();
    }
  });
});

describe('GET /v1/reports/cohorts', () => {
  const cells = ({ cohorts: all }: any, of: string) =>
    all.map(({ months, ...own }: any) => [own.month, own.profile_count, ...months.map((month: any) => month[of])]);

  it('groups customers by the month of their first order ever, that of the time zone of the store', async () => {
    await change({ time_zone: 'America/New_York' });
    await send([
      // Before the months that are asked for.
      { who: 'old', at: Date.parse('2024-12-15T00:00Z'), currency: 'EUR' },
      { who: 'old', at: day(40), currency: 'EUR' },
      // Still January there.
      { who: 'ada', at: Date.parse('2025-02-01T04:59Z'), currency: 'EUR' },
      { who: 'ada', at: Date.parse('2025-02-01T05:00Z'), currency: 'EUR', back: 100n },
      { who: 'ada', at: day(45), currency: 'USD' },
      { who: 'bob', at: day(10), currency: 'USD' },
      { who: 'bob', at: day(80), currency: 'EUR' },
      { who: 'eve', at: day(50), currency: 'EUR' },
      { who: 'eve', at: day(12), currency: 'EUR', isCancelled: true },
      { who: 'late', at: day(85), currency: 'EUR' },
    ]);
    const body = await cohorts('months=3&to=2025-03-25');
    expect(body).to.deep.include({
      from: '2025-01-01',
      to: '2025-03-25',
      time_zone: 'America/New_York',
      currency: 'EUR',
      currencies: ['EUR', 'USD'],
      is_complete: true,
      is_estimated: false,
    });
    expect(cells(body, 'profile_count')).to.deep.equal([
      ['2025-01-01', 2, 2, 1, 1],
      ['2025-02-01', 1, 1, 0],
      ['2025-03-01', 0, 0],
    ]);
    expect(cells(body, 'order_count')[0]).to.deep.equal(['2025-01-01', 2, 2, 2, 1]);
    expect(cells(body, 'share')[0]).to.deep.equal(['2025-01-01', 2, 1, 0.5, 0.5]);
    expect(cells(body, 'net_amount')[0]).to.deep.equal(['2025-01-01', 2, '10', '9', '10']);
    expect(cells(await cohorts('months=3&to=2025-03-25&currency=USD'), 'net_amount')[0]).to.deep.equal([
      '2025-01-01',
      2,
      '10',
      '10',
      '0',
    ]);
    expect(cells(await cohorts('months=1&to=2025-03-31'), 'share')).to.deep.equal([['2025-03-01', 1, 1]]);
  });

  it('shows the last twelve months by default, today included', async () => {
    await send([{ at: Date.now() - 1000 }]);
    const { cohorts: shown, to } = await cohorts('');
    expect(shown).to.have.length(12);
    expect(shown[11].month.slice(0, 7)).to.equal(to.slice(0, 7));
    expect(shown.reduce((sum: number, { profile_count }: any) => sum + profile_count, 0)).to.equal(1);
  });

  it('names what is wrong', async () => {
    const wrong = { 'months=0': 'months', 'months=61': 'months', 'months=x': 'months', 'to=2025-02-30': 'to' };
    for (const [search, field] of Object.entries({ ...wrong, 'to=0001-05-01': 'to', 'currency=euro': 'currency' })) {
      const { body } = await client.get<any>(`/v1/reports/cohorts?${search}`, { expect: 400 });
      expect(body.error.field, search).to.equal(field);
    }
  });
});

describe('Reports of customers, of random histories', () => {
  it('are the same as those of a naive recomputation', async () => {
    const random = new Random(47);
    for (const timeZone of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
      storeId = await service.newStore();
      client = (await service.client()).as((await service.newKey({ storeId })).key);
      await change({ time_zone: timeZone, currency: 'EUR' });
      const orders = Array.from({ length: 250 }, (): Ordered => {
        const cents = BigInt(random.below(10_000));
        return {
          who: `c${random.below(random.of([5, 60]))}`,
          at: START + random.below(400 * 24) * 3_600_000,
          cents,
          currency: random.of(['EUR', 'EUR', 'USD', undefined]),
          back: random.chance(0.2) ? cents / 3n : undefined,
          isCancelled: random.chance(0.1),
        };
      });
      await send(orders);
      const asked = { currency: 'EUR' };
      const { isComplete, isCut, isEstimated, ...found } = await reportCustomers(database.sql, storeId, asked);
      expect({ isComplete, isCut, isEstimated }).to.deep.equal({ isComplete: true, isCut: false, isEstimated: false });
      expect(found).to.deep.equal(naiveCustomers(orders));
      for (const [months, currency] of [
        [5, 'USD'],
        [14, 'EUR'],
      ] as const) {
        const body = await cohorts(`months=${months}&to=2026-01-20&currency=${currency}`);
        expect(body.cohorts).to.deep.equal(naiveCohorts(orders, { months, to: '2026-01-20', currency, timeZone }));
      }
    }
  });

  it('are estimated by a part of very many customers, who stand for the others', async () => {
    await service.database.query(alike(storeId, 6_000));
    const range = {
      first: Temporal.PlainDate.from('2025-01-01'),
      last: Temporal.PlainDate.from('2025-04-30'),
      zone: 'UTC',
      ofStore: null,
      currency: undefined,
    };
    const ofCustomers = (maxOrders: number) => reportCustomers(database.sql, storeId, { currency: null, maxOrders });
    const ofCohorts = (maxOrders: number) => reportCohorts(database.sql, storeId, { ...range, maxOrders });
    const exact = [await ofCustomers(12_000), await ofCohorts(12_000)];
    expect(exact[0]).to.deep.include({ profiles: 6_000, repeating: 6_000, isEstimated: false });
    for (const maxOrders of [1_500, 1]) {
      const estimated = [await ofCustomers(maxOrders), await ofCohorts(maxOrders)];
      expect(estimated).to.deep.equal(exact.map((report) => ({ ...report, isEstimated: true })));
    }
  });
});

/** Customers who have all ordered twice, ten days and a month later; a third begins in each of three months. */
function alike(storeId: string, count: number): string {
  return `
    create temporary table alike as
    select uuidv7() as id, timestamptz '2025-01-10T12:00Z' + (n % 3) * interval '1 month' as at
    from generate_series(1, ${count}) n;
    insert into store_order (store_id, order_id, event_id, profile_id, placed_at, currency, amount, refunded, event_count,
      is_noted)
    select '${storeId}'::uuid, id || ' ' || k, uuidv7(), id, at + k * interval '31 days', 'EUR', 10 + k, 1, 1, false
    from alike, generate_series(0, 1) k;
    insert into order_quarter (store_id, start, currency, orders, amount, refunded, cancelled, first_orders)
    select store_id, date_bin('15 minutes', placed_at, 'epoch'), currency, count(*), sum(amount), sum(refunded), 0,
      count(*) filter (where amount = 10)
    from store_order where store_id = '${storeId}' group by 1, 2, 3;
    insert into customer_value (store_id, profile_id, currency, orders, amount, refunded, first_at, last_at)
    select store_id, profile_id, currency, count(*), sum(amount), sum(refunded), min(placed_at), max(placed_at)
    from store_order where store_id = '${storeId}' group by 1, 2, 3;
    drop table alike`;
}
