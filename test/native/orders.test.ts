import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { holdTable } from '../support/obstacles.ts';
import { ordersSettled } from '../support/orders-settled.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const DAY_MS = 86_400_000;
const NOBODY = '00000000-0000-0000-0000-000000000000';
const time = (ms: number) => new Date(ms).toISOString();

let service: TestService;
let client: Client;
let storeId: string;

before(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  storeId = await service.newStore();
  client = (await service.client()).as((await service.newKey({ storeId })).key);
});
after(() => service.stop());

const NOON = Date.parse('2025-03-10T12:00:00.000Z');

interface Sent {
  type?: string;
  email?: string;
  at?: number;
}

async function send(properties: object, { type = 'placed_order', email = 'ada@shop.example', at = NOON }: Sent = {}) {
  const body = { event_type: type, profile: { email }, properties, occurred_at: time(at) };
  return (await client.post('/v1/events', body, { expect: 201 })).body;
}

const settled = () => ordersSettled(service, storeId);

async function order(id: string) {
  await settled();
  return (await client.get(`/v1/orders/${encodeURIComponent(id)}`, { expect: 200 })).body;
}

async function revenue(search = 'from=2025-03-01&to=2025-03-31') {
  await settled();
  return (await client.get(`/v1/reports/revenue?${search}`, { expect: 200 })).body;
}

const change = (changes: object, expected = 200) =>
  client.send<any>('PATCH', '/v1/store', JSON.stringify(changes), { headers: JSON_TYPE, expect: expected });

describe('GET /v1/orders/{id}', () => {
  it('returns what the event of an order says', async () => {
    const { id, profile_id } = await send({ order_id: 'A 1/ü', value: '59.90', currency: 'eur' });
    expect(await order('A 1/ü')).to.deep.equal({
      id: 'A 1/ü',
      event_id: id,
      profile_id,
      placed_at: time(NOON),
      currency: 'EUR',
      amount: '59.9',
      refunded_amount: '0',
      cancelled_at: null,
      event_count: 1,
    });
    await client.get('/v1/orders/A', { expect: 404 });
  });
});

describe('An order', () => {
  const sums = async (search?: string) => (await revenue(search)).totals;
  const eur = (fields: object) => ({
    ...{ currency: 'EUR', order_count: 1, cancelled_count: 0, gross_amount: '10', refunded_amount: '0' },
    ...{ net_amount: '10', average_amount: '10' },
    ...fields,
  });

  it('is one, whoever tells of it, with the first amount that is told', async () => {
    await send({ OrderId: 'A-1', currency: 'EUR' });
    await send({ order_id: 'A-1', value: 10, currency: 'EUR' }, { at: NOON + 1 });
    await send({ order_id: 'A-1', value: 11, currency: 'USD' }, { at: NOON + 2 });
    expect(await order('A-1')).to.deep.include({
      amount: '10',
      currency: 'EUR',
      event_count: 3,
      placed_at: time(NOON),
    });
    expect(await sums()).to.deep.equal({ revenue: [eur({})], new_customer_count: 1, returning_customer_count: 0 });
  });

  it('is reduced by refunds, to nothing at the least, in whatever order they come', async () => {
    const refund = (properties: object) => send(properties, { type: 'refunded_order' });
    await refund({ order_id: 'A-1', value: 4 });
    await send({ order_id: 'A-1', value: 10, currency: 'EUR' });
    await refund({ order_id: 'A-1', value: -1, currency: 'EUR' });
    await refund({ order_id: 'A-1', value: 1, currency: 'USD' });
    await refund({ value: 1 });
    expect(await order('A-1')).to.include({ refunded_amount: '5', amount: '10' });
    expect((await sums()).revenue).to.deep.equal([eur({ refunded_amount: '5', net_amount: '5' })]);
    await refund({ order_id: 'A-1', value: 100 });
    expect(await order('A-1')).to.include({ refunded_amount: '10' });
    await send({ order_id: 'A-2', value: 10, currency: 'EUR' });
    await refund({ order_id: 'A-2' });
    expect((await sums()).revenue).to.deep.equal([
      eur({ order_count: 2, gross_amount: '20', refunded_amount: '20', net_amount: '0' }),
    ]);
  });

  it('counts as cancelled alone once it is', async () => {
    await send({ order_id: 'A-1', value: 10, currency: 'EUR' });
    expect((await sums()).revenue).to.deep.equal([eur({})]);
    await send({ order_id: 'A-1' }, { type: 'cancelled_order', at: NOON + 1_000 });
    expect(await order('A-1')).to.include({ cancelled_at: time(NOON + 1_000) });
    const none = { order_count: 0, gross_amount: '0', net_amount: '0', average_amount: null };
    expect(await sums()).to.deep.equal({
      revenue: [eur({ ...none, cancelled_count: 1 })],
      new_customer_count: 0,
      returning_customer_count: 0,
    });
  });

  it('is summed up exactly, beside other currencies; one that names none is in that of the store', async () => {
    await send({ order_id: 'A-1', value: 0.1, currency: 'EUR' });
    await send({ order_id: 'A-2', value: 0.2 });
    await send({ order_id: 'A-3', value: 1500, currency: 'JPY' });
    await send({ order_id: 'A-4', currency: 'JPY' });
    const jpy = { currency: 'JPY', gross_amount: '1500', net_amount: '1500', average_amount: '750', order_count: 2 };
    expect((await sums()).revenue).to.have.deep.members([
      eur({ currency: 'EUR', gross_amount: '0.1', net_amount: '0.1', average_amount: '0.1' }),
      eur({ currency: null, gross_amount: '0.2', net_amount: '0.2', average_amount: '0.2' }),
      eur(jpy),
    ]);
    await change({ currency: 'EUR' }, 200);
    expect((await sums()).revenue).to.deep.equal([
      eur({ order_count: 2, gross_amount: '0.3', net_amount: '0.3', average_amount: '0.15' }),
      eur(jpy),
    ]);
    expect(await order('A-2')).to.include({ currency: 'EUR' });
  });

  it('is refunded and cancelled, however many events say that it was placed', async () => {
    const event = { event_type: 'placed_order', profile: { email: 'ada@shop.example' }, occurred_at: time(NOON) };
    const events = Array.from({ length: 1000 }, () => ({ ...event, properties: { order_id: 'A-1', value: 10 } }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    await send({ order_id: 'A-1', value: 4 }, { type: 'refunded_order', at: NOON + 1000 });
    expect(await order('A-1')).to.include({ refunded_amount: '4', event_count: 1000 });
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    await send({ order_id: 'A-1' }, { type: 'cancelled_order', at: NOON + 2000 });
    expect(await order('A-1')).to.include({ cancelled_at: time(NOON + 2000) });
    const kinds = `select kind, count(*)::int as noted from order_note where store_id = '${storeId}' group by 1 order by 1`;
    expect(await service.database.query(kinds)).to.deep.equal([
      { kind: 'cancelled', noted: 1 },
      { kind: 'placed', noted: 1000 },
      { kind: 'refunded', noted: 1 },
    ]);
  });

  it('without a number goes by the id of its event', async () => {
    const { id } = await send({ value: 10, currency: 'EUR' });
    expect(await order(id)).to.include({ id, event_id: id });
  });
});

describe('What an event says of an order', () => {
  it('is the first property that says something; what is no text and no number is no number of an order', async () => {
    await send({
      order_id: '',
      OrderId: true,
      OrderNumber: { a: 1 },
      orderId: 'A-1',
      value: '',
      $value: 5,
      currency: '',
    });
    expect(await order('A-1')).to.include({ amount: '5', currency: null });
    const { id } = await send({ order_id: true });
    expect(await order(id)).to.include({ id });
    await send({ order_id: 'A-1', value: '' }, { type: 'refunded_order' });
    expect(await order('A-1')).to.include({ refunded_amount: '0' });
  });
});

describe('GET /v1/orders', () => {
  const idsOf = async (search = '') =>
    (await client.get(`/v1/orders${search}`, { expect: 200 })).body.orders.map(({ id }: { id: string }) => id);

  it('lists orders, the latest first, of a time or a customer, page by page', async () => {
    for (const i of [1, 2, 3])
      await send({ order_id: `A-${i}` }, { at: NOON + i * 1000, email: `${i % 2}@shop.example` });
    await settled();
    expect(await idsOf()).to.deep.equal(['A-3', 'A-2', 'A-1']);
    expect(await idsOf(`?from=${time(NOON + 2000)}&to=${time(NOON + 3000)}`)).to.deep.equal(['A-2']);
    const { profile_id } = await order('A-1');
    expect(await idsOf(`?profile_id=${profile_id}`)).to.deep.equal(['A-3', 'A-1']);
    const { body } = await client.get('/v1/orders?limit=2', { expect: 200 });
    expect(await idsOf(`?limit=2&cursor=${body.next_cursor}`)).to.deep.equal(['A-1']);
    await client.get('/v1/orders?cursor=nonsense', { expect: 400 });
    const events = await client.get('/v1/events?limit=1', { expect: 200 });
    await client.get(`/v1/orders?cursor=${events.body.next_cursor}`, { expect: 400 });
    await client.get(`/v1/events?cursor=${body.next_cursor}`, { expect: 400 });
    await client.get(`/v1/orders?from=${time(NOON)}&to=${time(NOON)}`, { expect: 400 });
  });

  it('needs the scope, and shows nothing of another store', async () => {
    await send({ order_id: 'A-1' });
    await settled();
    const { key } = await service.newKey({ storeId, scopes: ['events:read'] });
    for (const path of ['/v1/orders', '/v1/orders/A-1', '/v1/reports/revenue'])
      await client.as(key).get(path, { expect: 403 });
    const other = (await service.client()).as((await service.newKey({ storeId: await service.newStore() })).key);
    expect((await other.get('/v1/orders', { expect: 200 })).body.orders).to.deep.equal([]);
    await other.get('/v1/orders/A-1', { expect: 404 });
  });
});

describe('GET /v1/reports/revenue', () => {
  it('groups orders by the days of the time zone, and customers by whether they have ordered before', async () => {
    await change({ time_zone: 'America/New_York' }, 200);
    // The clocks go forward in the night of the 9th; it is still the 8th there.
    await send({ order_id: 'A-1', value: 1, currency: 'EUR' }, { at: Date.parse('2025-03-09T04:59:00Z') });
    await send({ order_id: 'A-2', value: 2, currency: 'EUR' }, { at: Date.parse('2025-03-10T03:59:00Z') });
    await send({ order_id: 'A-3', value: 4, currency: 'EUR' }, { at: Date.parse('2025-03-10T04:00:00Z') });
    const days = await revenue('from=2025-03-08&to=2025-03-10');
    expect(days).to.include({ time_zone: 'America/New_York', interval: 'day', is_complete: true, is_cut: false });
    const shown = days.intervals.map(({ start, revenue: [one], ...customers }: (typeof days.intervals)[number]) => [
      start,
      one.gross_amount,
      customers.new_customer_count,
      customers.returning_customer_count,
    ]);
    expect(shown).to.deep.equal([
      ['2025-03-08', '1', 1, 0],
      ['2025-03-09', '2', 0, 1],
      ['2025-03-10', '4', 0, 1],
    ]);
    expect(days.totals).to.deep.include({ new_customer_count: 1, returning_customer_count: 0 });
    const weeks = await revenue('from=2025-03-08&to=2025-03-10&interval=week');
    expect(weeks.intervals.map(({ start }: { start: string }) => start)).to.deep.equal(['2025-03-08', '2025-03-10']);
  });

  it('compares with the period before and the year before', async () => {
    const orders = { '2025-03-10': 8, '2025-03-07': 4, '2024-03-10': 2, '2024-03-07': 1 };
    for (const [day, value] of Object.entries(orders)) await send({ value, currency: 'EUR' }, { at: Date.parse(day) });
    const compared = async (compare: string) =>
      (await revenue(`from=2025-03-09&to=2025-03-11&compare=${compare}`)).comparison;
    const ofPeriod = await compared('previous_period');
    expect(ofPeriod).to.include({ from: '2025-03-06', to: '2025-03-08' });
    expect(ofPeriod.totals.revenue[0]).to.include({ gross_amount: '4' });
    const ofYear = await compared('previous_year');
    expect(ofYear).to.include({ from: '2024-03-09', to: '2024-03-11' });
    expect(ofYear.totals.revenue[0]).to.include({ gross_amount: '2' });
    expect((await revenue()).comparison).to.equal(null);
  });

  it('compares a month with the whole of the month before', async () => {
    for (const [day, value] of [
      ['2025-01-31', 4],
      ['2025-02-01', 2],
    ] as const)
      await send({ value, currency: 'EUR' }, { at: Date.parse(day) });
    const days = async (search: string) => {
      const { from, to, totals } = (await revenue(`${search}&compare=previous_month`)).comparison;
      return [from, to, totals.revenue[0]?.gross_amount];
    };
    expect(await days('from=2025-02-01&to=2025-02-28')).to.deep.equal(['2025-01-01', '2025-01-31', '4']);
    expect(await days('from=2025-02-01&to=2025-02-27')).to.deep.equal(['2025-01-01', '2025-01-27', undefined]);
    expect(await days('from=2025-03-01&to=2025-03-31')).to.deep.equal(['2025-02-01', '2025-02-28', '2']);
  });

  it('compares a range that has not ended yet with what there was at the same time of day', async () => {
    const now = Date.now();
    await send({ value: 1, currency: 'EUR' }, { at: now - DAY_MS });
    await send({ value: 2, currency: 'EUR' }, { at: now - DAY_MS + 16 * 60_000 });
    const today = time(now).slice(0, 10);
    const { comparison } = await revenue(`from=${today}&to=${today}&compare=previous_period`);
    expect(comparison.totals.revenue[0]).to.include({ gross_amount: '1' });
  });

  it('says clearly when a range takes too long', async () => {
    const release = await holdTable(service.database, 'order_quarter');
    try {
      const { body } = await client.get<any>('/v1/reports/revenue', { expect: 502 });
      expect(body.error).to.include({ code: 'upstream_error' });
      expect(body.error.message).to.include('shorter');
    } finally {
      await release();
    }
  });

  it('refuses ranges that are none, or too long', async () => {
    for (const search of [
      'from=2025-03-02&to=2025-03-01',
      'from=2023-01-01&to=2025-01-01',
      'from=2025-02-30',
      'interval=hour',
    ])
      await client.get(`/v1/reports/revenue?${search}`, { expect: 400 });
  });
});

describe('Orders of customers who were erased', () => {
  const erase = async (email: string) => {
    const { body } = await client.post<any>('/v1/erasures', { email, events: 'anonymise' }, { expect: 202 });
    await until(async () => {
      const { status } = (await client.get<any>(`/v1/erasures/${body.id}`, { expect: 200 })).body;
      return status === 'complete';
    }, 'the customer is erased');
  };

  it("stay as nobody's, under a name that no other order can have", async () => {
    const { id } = await send({ order_id: 'A-1', value: 10, currency: 'EUR' });
    await send({ order_id: id, value: 5, currency: 'EUR' }, { email: 'eve@shop.example' });
    await send({ order_id: `event:${id}`, value: 1, currency: 'EUR' }, { email: 'eve@shop.example' });
    await settled();
    await erase('ada@shop.example');
    expect(await order(`event:${id}`)).to.include({ event_id: id, profile_id: NOBODY, amount: '10' });
    expect(await order(id)).to.include({ amount: '5' });
    await client.get('/v1/orders/A-1', { expect: 404 });
    expect((await revenue()).totals.revenue[0]).to.include({ order_count: 3, gross_amount: '16' });
  });

  it('stay as they are when all events are read anew', async () => {
    await send({ order_id: 'A-1', value: 10, currency: 'EUR' });
    await send({ order_id: 'A-1', value: 10, currency: 'EUR' }, { at: NOON + 1 });
    await send({ order_id: 'A-1', value: 4, currency: 'EUR' }, { type: 'refunded_order' });
    const before = (await revenue()).totals.revenue;
    expect(before[0]).to.include({ order_count: 1, net_amount: '6' });
    await erase('ada@shop.example');
    expect((await revenue()).totals.revenue).to.deep.equal(before);
    await change({ orders: { placed_types: ['placed_order', 'sold'] } });
    expect((await revenue()).totals.revenue).to.deep.equal(before);
  });
});

describe('Events that pages send', () => {
  it('make, refund and cancel no orders', async () => {
    const { key } = await service.newKey({ storeId, scopes: ['client:write'] });
    const page = client.as(key);
    const sendAs = async (name: string, properties: object) => {
      const metric = { data: { type: 'metric', attributes: { name } } };
      const profile = { data: { type: 'profile', attributes: { email: 'ada@shop.example' } } };
      const data = { type: 'event', attributes: { properties, metric, profile } };
      await page.post('/compat/v1/client/events', { data }, { expect: 202 });
    };
    const told = async () => {
      await sendAs('Placed Order', { order_id: 'B-1', value: 1_000_000, currency: 'EUR' });
      await sendAs('Refunded Order', { order_id: 'A-1' });
      await sendAs('Cancelled Order', { order_id: 'A-1' });
    };
    await told();
    await send({ order_id: 'A-1', value: 10, currency: 'EUR' });
    expect(await order('A-1')).to.include({ refunded_amount: '0', cancelled_at: null });
    await told();
    await change({ orders: { placed_types: ['placed_order', 'sold'] } });
    expect(await order('A-1')).to.include({ refunded_amount: '0', cancelled_at: null });
    await client.get('/v1/orders/B-1', { expect: 404 });
  });
});

describe('The settings of a store for orders', () => {
  it('say which events are orders, and where they say what; all are read anew when they change', async () => {
    await send({ order_id: 'A-1', value: 1, currency: 'EUR' });
    await send({ cart: { id: 'B-1', total: { amount: '2.50' } }, money: 'EUR' }, { type: 'sold' });
    await send({ cart: { id: 'B-1' } }, { type: 'undone' });
    expect((await revenue()).totals.revenue[0]).to.include({ gross_amount: '1' });
    const orders = {
      placed_types: ['sold'],
      refunded_types: ['undone'],
      order_id_properties: ['cart.id'],
      amount_properties: ['cart.total.amount'],
      currency_properties: ['money'],
    };
    const { body } = await change({ orders }, 200);
    expect(body.orders).to.deep.include({ ...orders, cancelled_types: ['cancelled_order', 'canceled_order'] });
    expect((await revenue()).totals.revenue).to.deep.equal([
      {
        ...{ currency: 'EUR', order_count: 1, cancelled_count: 0, gross_amount: '2.5', refunded_amount: '2.5' },
        ...{ net_amount: '0', average_amount: '2.5' },
      },
    ]);
    await client.get('/v1/orders/A-1', { expect: 404 });
  });

  it('are refused where a type means two things, and then nothing changes', async () => {
    const refused = async (orders: object, field: string) => {
      const { body } = await change({ country: 'GB', orders }, 400);
      expect(body.error.field).to.equal(field);
    };
    await refused({ refunded_types: ['placed_order'] }, 'orders.refunded_types[0]');
    await refused({ cancelled_types: ['a', 'refunded_order'] }, 'orders.cancelled_types[1]');
    await refused({ placed_types: ['sold', 'sold'] }, 'orders.placed_types[1]');
    await refused({ amount_properties: ['total', 'value', 'total'] }, 'orders.amount_properties[2]');
    await refused({ cancelled_types: [] }, 'orders.cancelled_types');
    await change({ country: 'XX', orders: { placed_types: ['sold'] } }, 400);
    const { body } = await client.get('/v1/store', { expect: 200 });
    expect(body.country).to.equal(null);
    expect(body.orders.placed_types).to.deep.equal(['placed_order']);
  });
});

describe('GET /v1/profiles/{id}/order-summary', () => {
  const summary = async (id: string) => (await client.get(`/v1/profiles/${id}/order-summary`, { expect: 200 })).body;

  it('sums up what a customer has ordered, by currency, without what was cancelled', async () => {
    const { profile_id: ada } = await send({ order_id: 'A-1', value: 0.1, currency: 'EUR' }, { at: NOON - DAY_MS });
    await send({ order_id: 'A-2', value: 0.2, currency: 'EUR' });
    await send({ order_id: 'A-3', value: 5, currency: 'USD' }, { at: NOON + 1_000 });
    await send({ order_id: 'A-4', value: 70, currency: 'EUR' }, { at: NOON + DAY_MS });
    await send({ order_id: 'A-2', value: 0.2 }, { type: 'refunded_order' });
    await send({ order_id: 'A-4' }, { type: 'cancelled_order', at: NOON + DAY_MS });
    await send({ order_id: 'E-1', value: 1_000, currency: 'EUR' }, { email: 'eve@shop.example' });
    await settled();
    const sums = { cancelled_count: 0, refunded_amount: '0' };
    expect(await summary(ada)).to.deep.equal({
      first_placed_at: time(NOON - DAY_MS),
      last_placed_at: time(NOON + 1_000),
      revenue: [
        {
          ...{ currency: 'EUR', order_count: 2, cancelled_count: 1, gross_amount: '0.3', refunded_amount: '0.2' },
          ...{ net_amount: '0.1', average_amount: '0.15' },
        },
        { ...sums, currency: 'USD', order_count: 1, gross_amount: '5', net_amount: '5', average_amount: '5' },
      ],
      is_complete: true,
      is_cut: false,
      favourite_items: [],
    });
  });

  it('is empty of somebody who has ordered nothing, and unknown of nobody', async () => {
    const { id } = (await client.post('/v1/profiles/upsert', { identifiers: { email: 'new@shop.example' } })).body;
    expect(await summary(id)).to.deep.include({ first_placed_at: null, last_placed_at: null, revenue: [] });
    const stranger = await service.client();
    await stranger.get(`/v1/profiles/${id}/order-summary`, { expect: 404 });
  });
});

describe('GET /v1/profiles/{id}/events', () => {
  it('lists the events of a kind, by the types that the settings name', async () => {
    await change({ orders: { placed_types: ['bought'] } });
    const { profile_id: id } = await send({ order_id: '1' }, { type: 'bought' });
    for (const [n, type] of ['viewed_product', 'placed_order', 'refunded_order'].entries()) {
      await send({ order_id: '1' }, { type, at: NOON + (n + 1) * 1_000 });
    }
    const profileEvents = async (query: string, expected = 200) =>
      (await client.get(`/v1/profiles/${id}/events?${query}`, { expect: expected })).body;
    const typesOf = async (kind: string) =>
      (await profileEvents(`kind=${kind}`)).events.map(({ event_type }: { event_type: string }) => event_type);
    expect(await typesOf('orders')).to.deep.equal(['refunded_order', 'bought']);
    expect(await typesOf('site')).to.deep.equal(['placed_order', 'viewed_product']);
    expect(await typesOf('messages')).to.deep.equal([]);
    const first = await profileEvents('kind=site&limit=1');
    expect((await profileEvents(`kind=site&cursor=${first.next_cursor}`)).events).to.have.length(1);
    for (const query of ['kind=all', 'kind=orders&event_type=bought']) {
      expect((await profileEvents(query, 400)).error).to.deep.include({ code: 'validation_error', field: 'kind' });
    }
  });
});
