import { expect } from 'chai';
import type { Scope } from '../../src/domain/caller.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

describe('GET /v1/search', () => {
  let service: TestService;
  let storeId: string;
  let client: Client;
  let ada: string;
  const ids: Record<string, string> = {};

  before(async () => {
    service = await TestService.start();
    storeId = await service.newStore();
    client = await keyWith();
    ada = await customer(client, {
      identifiers: { email: 'ada@example.com', phone: '+4915123456789', external_id: 'cust_1001' },
      attributes: { first_name: 'Ada', last_name: 'Lovelace' },
    });
    await customer(client, { identifiers: { email: 'bob+shop@example.com' }, attributes: { first_name: 'Bob' } });
    await customer(client, { identifiers: { phone: '015199' } });
    const { body: list } = await client.post('/v1/lists', { name: 'Sommer Überraschung' }, { expect: 201 });
    const { body: segment } = await client.post(
      '/v1/segments',
      { name: 'Summer buyers', definition: { identifier: 'email' } },
      { expect: 201 },
    );
    const definition = {
      name: 'Welcome',
      trigger: { type: 'manual' },
      start: 'end',
      steps: [{ id: 'end', type: 'exit' }],
    };
    const { body: automation } = await client.post('/v1/automations', { definition }, { expect: 201 });
    Object.assign(ids, { list: list.id, segment: segment.id, automation: automation.id });
    await client.post('/v1/catalog/items/upsert', { id: 'tea-1', title: 'Darjeeling summer tea' }, { expect: 201 });
    await placeOrder(client, 'A-1001');
    const stranger = await service.client();
    await customer(stranger, {
      identifiers: { email: 'ada@example.net', external_id: 'cust_1001' },
      attributes: { first_name: 'Ada' },
    });
    await placeOrder(stranger, 'A-2002');
  });
  after(() => service.stop());

  async function keyWith(scopes?: Scope[]): Promise<Client> {
    const { key } = await service.newKey({ storeId, ...(scopes && { scopes }) });
    return (await service.client()).as(key);
  }

  async function customer(own: Client, body: object): Promise<string> {
    return (await own.post('/v1/profiles/upsert', body, { expect: 201 })).body.id;
  }

  async function placeOrder(own: Client, id: string): Promise<void> {
    const properties = { order_id: decodeURIComponent(id), value: 59.9, currency: 'EUR' };
    await own.post('/v1/events', { event_type: 'placed_order', profile: { external_id: 'cust_1001' }, properties });
    await until(async () => (await own.get(`/v1/orders/${id}`)).status === 200, 'the order is read');
  }

  async function find(q: string, own = client, more = ''): Promise<[kind: string, title: string][]> {
    const { body } = await own.get(`/v1/search?q=${encodeURIComponent(q)}${more}`, { expect: 200 });
    expect(body.incomplete).to.deep.equal([]);
    return body.hits.map(({ kind, title }: { kind: string; title: string }) => [kind, title]);
  }

  const ADA = ['customer', 'Ada Lovelace'];

  it('finds a customer by the beginning of each name, of an address, and of an external id, and by the id', async () => {
    for (const q of [
      'ada',
      'Ada Lov',
      'LOVELACE',
      'ada@',
      'Ada@Example.com',
      'cust_1',
      ` ${ada} `,
      ada.toUpperCase(),
    ]) {
      expect(await find(q), q).to.deep.equal([ADA]);
    }
    expect(await find('bob+shop@')).to.deep.equal([['customer', 'Bob']]);
    expect((await client.get('/v1/search?q=bob+shop@', { expect: 200 })).body.hits).to.have.length(1);
  });

  it('finds a telephone number in whatever notation, and by its beginning', async () => {
    for (const q of [
      '+49 151 23456789',
      '0049-151/234 567 89',
      '4915123456789',
      '+49 (151) 2345',
      '00491512',
      '49151 23',
    ]) {
      expect(await find(q), q).to.deep.equal([ADA]);
    }
    expect((await client.get('/v1/search?q=+49151', { expect: 200 })).body.hits).to.have.length(1);
    expect(await find('0151 99')).to.deep.equal([['customer', '015199']]);
  });

  it('finds a number as it is dialled in the country of the store', async () => {
    const own = await service.client();
    await own.send('PATCH', '/v1/store', '{"country":"DE"}', { headers: JSON_TYPE, expect: 200 });
    await customer(own, { identifiers: { phone: '+49 151 23456789' }, attributes: { first_name: 'Eva' } });
    for (const q of ['0151 23456789', '0151-2345', '151 23456789', '0049151234', '+49 (0)151 23456789']) {
      await until(async () => (await find(q, own)).length === 1, q);
    }
  });

  it('finds a whole number as it is dialled in whatever country', async () => {
    const own = await service.client();
    for (const phone of ['+4915123456789', '+14155550123', '+442079460018', '+390612345678', '+79121234567']) {
      await customer(own, { identifiers: { phone } });
    }
    for (const [q, phone] of [
      ['0151/234 567 89', '+4915123456789'],
      ['(415) 555-0123', '+14155550123'],
      ['020 7946 0018', '+442079460018'],
      ['06 1234 5678', '+390612345678'],
      ['8 (912) 123-45-67', '+79121234567'],
    ] as const) {
      expect(await find(q, own), q).to.deep.equal([['customer', phone]]);
    }
  });

  it('finds an order by its whole number', async () => {
    await placeOrder(client, '%23B-7');
    for (const q of ['a-1001', '#a-1001']) expect(await find(q), q).to.deep.equal([['order', 'A-1001']]);
    for (const q of ['B-7', '#b-7']) expect(await find(q), q).to.deep.equal([['order', '#B-7']]);
    expect(await find('A-1001')).to.deep.equal([['order', 'A-1001']]);
    const { body } = await client.get('/v1/search?q=%23A-1001', { expect: 200 });
    expect(body.hits).to.deep.equal([
      { kind: 'order', id: 'A-1001', title: 'A-1001', subtitle: '59.9 EUR', profile_id: ada },
    ]);
    expect(await find('A-100')).to.deep.equal([]);
  });

  it('finds by words what has a name, in any case, what begins with them first', async () => {
    expect(await find('summer')).to.deep.equal([
      ['segment', 'Summer buyers'],
      ['item', 'Darjeeling summer tea'],
    ]);
    expect(await find('überraschung SOMMER')).to.deep.equal([['list', 'Sommer Überraschung']]);
    expect(await find('welc')).to.deep.equal([['automation', 'Welcome']]);
    for (const kind of ['list', 'segment', 'automation']) {
      expect((await find(ids[kind] as string)).map(([found]) => found)).to.deep.equal([kind]);
    }
    await until(async () => (await find('placed')).length > 0, 'the type is counted');
    expect(await find('placed order')).to.deep.equal([['event_type', 'placed_order']]);
  });

  it('finds as many of a kind as it is asked for', async () => {
    const own = await service.client();
    for (let n = 0; n < 7; n += 1) await own.post('/v1/lists', { name: `Same ${n}` }, { expect: 201 });
    expect(await find('same', own)).to.have.length(5);
    expect(await find('same', own, '&limit=6')).to.have.length(6);
    expect((await find('same', own, '&limit=1')).map(([, title]) => title)).to.deep.equal(['Same 6']);
  });

  it('says nothing of what the key may not read', async () => {
    const kindsFor = async (scopes: Scope[], texts: string[]) => {
      const own = await keyWith(scopes);
      const found = await Promise.all(texts.map((text) => find(text, own)));
      return found.flat().map(([kind]) => kind);
    };
    const texts = ['ada', 'A-1001', 'summer', 'sommer', 'welcome', 'placed'];
    expect(await kindsFor([], texts)).to.deep.equal([]);
    expect(await kindsFor(['profiles:read'], texts)).to.deep.equal(['customer']);
    expect(await kindsFor(['reports:read'], texts)).to.deep.equal(['order', 'event_type']);
    expect(await kindsFor(['events:read'], texts)).to.deep.equal(['order', 'event_type']);
    expect(await kindsFor(['audiences:read'], texts)).to.deep.equal(['segment', 'list']);
    expect(await kindsFor(['automations:read'], texts)).to.deep.equal(['automation']);
    expect(await kindsFor(['catalog:read'], texts)).to.deep.equal(['item']);
    expect(await kindsFor(['messages:read', 'keys:manage'], texts)).to.deep.equal([]);
  });

  it('refuses what it can not look for, by the name of the parameter', async () => {
    for (const [search, field] of [
      ['', 'q'],
      ['q=', 'q'],
      ['q=%20%20', 'q'],
      [`q=${'x'.repeat(256)}`, 'q'],
      ['q=a%00b', 'q'],
      ['q=a&limit=0', 'limit'],
      ['q=a&limit=21', 'limit'],
    ]) {
      const { body } = await client.get(`/v1/search?${search}`, { expect: 400 });
      expect([body.error.code, body.error.field], search).to.deep.equal(['validation_error', field]);
    }
  });

  it('takes any text for one', async () => {
    for (const q of ['%', "' or '1'='1", '\\', '(', '#', '@', '+', '\u{10ffff}', '\u{1f600}', 'x'.repeat(255)]) {
      expect(await find(q), q).to.deep.equal([]);
    }
  });

  it('looks through several pages of items that have the longest word, and says so where there may be more', async () => {
    const own = await service.client();
    for (let page = 0; page < 7; page += 1) {
      const items = Array.from({ length: 1_000 }, (_, n) => {
        const number = page * 1_000 + n;
        return { id: `i${String(number).padStart(5, '0')}`, title: `Handcrafted ${number === 3_500 ? 'owl' : 'cup'}` };
      });
      await own.post('/v1/catalog/items/bulk', { items }, { expect: 200 });
    }
    const ask = async (q: string) => (await own.get(`/v1/search?q=${encodeURIComponent(q)}`, { expect: 200 })).body;
    const owls = await ask('owl handcrafted');
    expect(owls.hits.map(({ id }: { id: string }) => id)).to.deep.equal(['i03500']);
    expect(owls.incomplete).to.deep.equal(['item']);
    expect((await ask('fox handcrafted')).incomplete).to.deep.equal(['item']);
    expect((await ask('cup handcrafted')).incomplete).to.deep.equal([]);
    expect((await ask('fox')).incomplete).to.deep.equal([]);
  });
});
