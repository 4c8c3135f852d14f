import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { readAll, record, refusedField } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const PATH = '/v1/events';
const ada = { external_id: 'ada' };
const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T12:00:00.000Z`;

describe('GET /v1/events', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());
  beforeEach(async () => {
    client = await service.client();
  });

  const list = async (query: string) => (await client.get(`${PATH}?${query}`, { expect: 200 })).body.events;
  const idsIn = async (query: string) => (await list(query)).map(({ id }: { id: string }) => id);

  it('lists events as they were recorded, by the time at which they happened, newest first', async () => {
    const properties = { order_id: 'o1', 'a key': [1.5, { ü: null }] };
    const { body } = await client.post(PATH, { event_type: 'placed_order', profile: ada, properties });
    const [past, future] = await record(
      client,
      { event_type: 'visit', profile: ada, occurred_at: '1990-01-01T00:00:00Z' },
      { event_type: 'visit', profile: ada, occurred_at: new Date(Date.now() + 1e9).toISOString() },
    );
    const events = await list('');
    expect(events.map(({ id }: { id: string }) => id)).to.deep.equal([future, body.id, past]);
    expect(events[1]).to.deep.equal(body);
  });

  it('filters by type, profile and time, with the end excluded', async () => {
    const [one, two, three] = await record(
      client,
      { event_type: 'visit', profile: ada, occurred_at: at(1) },
      { event_type: 'order', profile: ada, occurred_at: at(2) },
      { event_type: 'order', profile: { external_id: 'bob' }, occurred_at: at(3) },
    );
    const bob = (await list('event_type=order'))[0].profile_id;
    expect(await idsIn('event_type=order')).to.deep.equal([three, two]);
    expect(await idsIn(`profile_id=${bob}`)).to.deep.equal([three]);
    expect(await idsIn(`profile_id=${bob}&event_type=visit`)).to.deep.equal([]);
    expect(await idsIn(`profile_id=${bob}&event_type=order&from=${at(3)}`)).to.deep.equal([three]);
    expect(await idsIn(`from=${at(1)}&to=${at(3)}`)).to.deep.equal([two, one]);
    expect(await idsIn('from=2026-03-02T13:00:00%2B01:00')).to.deep.equal([three, two]);
    expect(await idsIn('event_type=refund')).to.deep.equal([]);
  });

  it('finds events by a property: a text, a number or a boolean', async () => {
    const properties = { order_id: 'a=b&c', value: 59.9, gift: true, nested: { value: 1 }, none: null };
    const [found] = await record(
      client,
      { event_type: 'order', profile: ada, properties },
      { event_type: 'order', profile: ada, properties: { order_id: 'other', value: 60, gift: false } },
      { event_type: 'order', profile: ada },
    );
    const by = (name: string, value: string) =>
      idsIn(`event_type=order&${new URLSearchParams({ property: name, property_value: value })}`);
    expect(await by('order_id', 'a=b&c')).to.deep.equal([found]);
    expect(await by('value', '59.9')).to.deep.equal([found]);
    expect(await by('gift', 'true')).to.deep.equal([found]);
    for (const [name, value] of [
      ['value', '59'],
      ['none', 'null'],
      ['none', ''],
      ['value1', '1'],
      ["'", "'"],
    ] as const) {
      expect(await by(name, value), name).to.deep.equal([]);
    }
  });

  it('finds the events of an order quickly, however many came after it', async () => {
    const longId = 'o'.repeat(300);
    const order = (order_id: unknown, n: number, profile = ada, event_type = 'order') => ({
      event_type,
      profile,
      occurred_at: at(n),
      properties: { order_id },
    });
    const bob = { external_id: 'bob' };
    const [placed, shipped, refunded, long] = await record(
      client,
      order('1001', 1),
      order(1001, 2, ada, 'shipment'),
      order('1001', 3, bob),
      order(`${longId}a`, 4),
      order(`${longId}b`, 5),
      order(null, 6),
      order({ id: 1001 }, 7),
    );
    const later = Array.from({ length: 1_000 }, () => order('2002', 20));
    for (let n = 0; n < 3; n += 1) await client.post(`${PATH}/bulk`, { events: later }, { expect: 201 });

    const ofOrder = (order_id: string, more = '') =>
      idsIn(`${new URLSearchParams({ property: 'order_id', property_value: order_id })}${more}`);
    expect(await ofOrder('1001')).to.deep.equal([refunded, shipped, placed]);
    expect(await ofOrder('1001', '&event_type=shipment')).to.deep.equal([shipped]);
    expect(await ofOrder('1001', `&to=${at(3)}&event_type=order`)).to.deep.equal([placed]);
    const [{ profile_id }] = await list('property=order_id&property_value=1001');
    expect(await ofOrder('1001', `&profile_id=${profile_id}`)).to.deep.equal([refunded]);
    expect(await ofOrder(`${longId}a`)).to.deep.equal([long]);
    const query = 'limit=2&property=order_id&property_value=1001';
    const pages = await readAll(client, `${PATH}?${query}`, 'events');
    expect(pages.map(({ id }) => id)).to.deep.equal([refunded, shipped, placed]);
  });

  it('returns each event once across its pages, in order, even if many happened at the same time', async () => {
    const events = Array.from({ length: 45 }, (_, i) => ({
      event_type: 'visit',
      profile: ada,
      properties: { odd: i % 2 === 1 },
      occurred_at: at(1 + (i % 3)),
    }));
    const ids = await record(client, ...events);
    for (const limit of [1, 7, 45, 100]) {
      const shown = await readAll(client, `${PATH}?limit=${limit}`, 'events');
      expect(shown.map(({ id }) => id)).to.have.members(ids);
      expect(shown).to.have.length(ids.length);
      const order = shown.map(({ occurred_at, id }) => `${occurred_at} ${id}`);
      expect(order).to.deep.equal([...order].sort().reverse());
    }
    const odd = await readAll(client, `${PATH}?limit=4&property=odd&property_value=true&from=${at(2)}`, 'events');
    expect(odd.map(({ id }) => id)).to.have.members(ids.filter((_, i) => i % 2 === 1 && i % 3 > 0));
  });

  it('keeps its pages consistent while others write', async () => {
    const events = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ event_type: 'visit', profile: { external_id: `c${i % 5}` } }));
    const before = await record(client, ...events(60));
    const during: string[] = [];
    const shown = await readAll(client, `${PATH}?limit=9`, 'events', async () => {
      during.push(...(await record(client, ...events(5))));
    });
    const ids = shown.map(({ id }) => id);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(ids).to.include.members(before);
    expect([...before, ...during]).to.include.members(ids);
  });

  it('continues by its cursor after looking through many events in vain', async () => {
    const { key, storeId } = await service.newKey();
    client = client.as(key);
    await service.database.query(`
      insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      select '${storeId}', uuidv7(), '${storeId}', 'visit', json_build_object('n', n), now() - n * interval '1 s', now()
      from generate_series(1, 5000) n`);
    const pages: number[] = [];
    const found = await readAll(client, `${PATH}?property=n&property_value=4999`, 'events', ({ events }) =>
      pages.push(events.length),
    );
    expect(found.map(({ properties }) => properties)).to.deep.equal([{ n: 4_999 }]);
    expect(pages).to.deep.equal([0, 0, 1]);
  });

  it('ends a page early if it would be huge, without leaving events out', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      // Does not compress.
      const texts = Array.from({ length: 10 }, () => crypto.getRandomValues(Buffer.alloc(60_000)).toString('base64'));
      ids.push(...(await record(client, { event_type: 'large', profile: ada, properties: { texts } })));
    }
    const pages: number[] = [];
    const shown = await readAll(client, PATH, 'events', ({ events }) => pages.push(events.length));
    expect(shown.map(({ id }) => id)).to.deep.equal(ids.reverse());
    expect(pages.length).to.be.above(1);
  });

  it('names an invalid parameter', async () => {
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['limit=x', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['cursor=x', 'cursor'],
      [`cursor=${Buffer.from('5 nothing').toString('base64url')}`, 'cursor'],
      ['cursor=', 'cursor'],
      ['from=yesterday', 'from'],
      ['from=2026-02-30T00:00:00Z', 'from'],
      [`from=${at(2)}&to=${at(2)}`, 'from'],
      ['profile_id=x', 'profile_id'],
      ['event_type=', 'event_type'],
      [`event_type=${'x'.repeat(129)}`, 'event_type'],
      ['event_type=%00', 'event_type'],
      ['property=x', 'property_value'],
      ['property_value=x', 'property'],
      ['sort=asc', 'sort'],
    ]) {
      expect(await refusedField(client, `${PATH}?${query}`), query).to.equal(field);
    }
  });
});

describe('GET /v1/events/{id}', () => {
  it('returns the event as it was recorded', async () => {
    const service = await TestService.start();
    try {
      const client = await service.client();
      const { body } = await client.post(PATH, { event_type: 'visit', profile: ada, idempotency_key: 'k' });
      expect((await client.get(`${PATH}/${body.id}`, { expect: 200 })).body).to.deep.equal(body);
      await (await service.client()).get(`${PATH}/${body.id}`, { expect: 404 });
    } finally {
      await service.stop();
    }
  });
});
