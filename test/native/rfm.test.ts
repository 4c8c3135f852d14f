import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { readThresholds } from '../../src/domain/rfm/thresholds.ts';
import type { Client } from '../support/client.ts';
import { holdTable } from '../support/obstacles.ts';
import { ordersSettled } from '../support/orders-settled.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const KINDS = ['champions', 'loyal', 'new', 'needs_attention', 'about_to_sleep', 'at_risk', 'hibernating', 'lost'];

describe('GET /v1/reports/rfm, POST /v1/segments/rfm', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start();
    storeId = await service.newStore();
    client = (await service.client()).as((await service.newKey({ storeId })).key);
  });
  after(() => service.stop());

  const query = (text: string) => service.database.query<any>(text.replaceAll('$store', `'${storeId}'`));
  const rfm = async () => (await client.get('/v1/reports/rfm', { expect: 200 })).body;
  const refresh = async () => (await client.post('/v1/segments/rfm', undefined, { expect: 200 })).body;
  const idsOf = ({ segments }: any) => segments.map(({ segment_id }: any) => segment_id);
  const segment = async (id: string) => (await client.get(`/v1/segments/${id}`, { expect: 200 })).body;
  let orders = 0;
  const order = async (customers: readonly { name: string; daysAgo: number; value: number }[]) => {
    const events = customers.map(({ name, daysAgo, value }) => ({
      event_type: 'placed_order',
      profile: { external_id: name },
      occurred_at: new Date(Date.now() - daysAgo * DAY_MS + 60_000).toISOString(),
      properties: { order_id: `o${++orders}`, value, currency: 'EUR' },
    }));
    await client.post('/v1/events/bulk', { events }, { expect: 201 });
    await ordersSettled(service, storeId);
  };

  it('makes nothing of few customers, and needs the scopes of what it reads', async () => {
    await order([{ name: 'ada', daysAgo: 1, value: 10 }]);
    const few = { customer_count: 1, is_sampled: false, currency: 'EUR', thresholds: null, segments: [] };
    expect(await rfm()).to.deep.equal(few);
    expect(await refresh()).to.deep.equal(few);
    for (const scopes of [['audiences:write'], ['events:read', 'audiences:read']] as const) {
      const { key } = await service.newKey({ storeId, scopes });
      await client.as(key).post('/v1/segments/rfm', undefined, { expect: 403 });
    }
    const { key } = await service.newKey({ storeId, scopes: ['audiences:write', 'events:read'] });
    await client.as(key).get('/v1/reports/rfm', { expect: 403 });
  });

  it('divides all who have ordered, each into one segment, by quintiles', async () => {
    const customers = Array.from({ length: 49 }, (_, n) => ({ name: `c${n}`, daysAgo: 2 * n + 2, value: 10 + n }));
    // Of ten, three have ordered five times and two twice.
    const again = customers.flatMap((one, n) =>
      Array.from({ length: n % 10 === 9 ? 4 : ([4, 1][n % 5] ?? 0) }, () => one),
    );
    await order([...customers, ...again]);
    const { thresholds, segments, customer_count } = await rfm();
    expect(customer_count).to.equal(50);
    expect(thresholds).to.include({ recent_days: 38, middle_days: 58, late_days: 78, some_orders: 2, many_orders: 5 });
    expect(segments.map(({ kind }: any) => kind)).to.deep.equal(KINDS);
    expect(new Set(idsOf({ segments }))).to.deep.equal(new Set([null]));
    const made = await refresh();
    expect(new Set(idsOf(made)).size).to.equal(8);
    await until(async () => {
      const counts = await Promise.all(idsOf(made).map(async (id: string) => (await segment(id)).member_count));
      return counts.every((count) => count !== null);
    }, 'the segments to be built');
    const members = await Promise.all(
      idsOf(made).map(async (id: string) => {
        const { body } = await client.get(`/v1/segments/${id}/members?limit=100`, { expect: 200 });
        return body.members.map(({ profile_id }: any) => profile_id);
      }),
    );
    expect(members.flat()).to.have.length(50);
    expect(new Set(members.flat()).size).to.equal(50);
    for (const [n, kind] of KINDS.entries()) expect(members[n], kind).not.to.deep.equal([]);
  });

  it('changes the same segments when it is repeated, keeps their names, and makes what was deleted again', async () => {
    const before = idsOf(await rfm());
    expect(idsOf(await refresh())).to.deep.equal(before);
    const champions = await segment(before[0]);
    expect(champions).to.deep.include({ name: 'RFM: Champions', revision: 1 });
    await client.send(
      'PUT',
      `/v1/segments/${before[0]}`,
      JSON.stringify({ revision: 1, name: 'Our best', definition: champions.definition }),
      { headers: { 'Content-Type': 'application/json' }, expect: 200 },
    );
    await client.send('DELETE', `/v1/segments/${before[7]}`, undefined, { expect: 200 });
    await order(Array.from({ length: 60 }, (_, n) => ({ name: `d${n}`, daysAgo: 3, value: 500 })));
    const after = await refresh();
    expect(idsOf(after).slice(0, 7)).to.deep.equal(before.slice(0, 7));
    expect(idsOf(after)[7]).not.to.be.oneOf([null, before[7]]);
    expect(await segment(before[0])).to.deep.include({ name: 'Our best', revision: 3 });
  });

  it('is repeated by the service once a month, but for what was deleted', async () => {
    const before = idsOf(await rfm());
    await client.send('DELETE', `/v1/segments/${before[6]}`, undefined, { expect: 200 });
    await order(Array.from({ length: 120 }, (_, n) => ({ name: `e${n}`, daysAgo: 1, value: 900 })));
    const { revision } = await segment(before[0]);
    await query("update rfm_segment set due_at = now() - interval '1 second' where store_id = $store");
    await until(async () => (await segment(before[0])).revision === revision + 1, 'the segments to be made anew');
    expect(idsOf(await rfm())).to.deep.equal(before.map((id: string, n: number) => (n === 6 ? null : id)));
  });

  it('looks at a part of many customers, who stand for the others', async () => {
    const many = await service.newStore();
    await service.database.query(`
      insert into customer_value (store_id, profile_id, currency, orders, amount, refunded, first_at, last_at)
      select '${many}', uuidv7(), 'EUR', 1 + n % 5, 7, 0, now(), now() - interval '11.5 days' from generate_series(1, 6000) n;
      insert into order_quarter (store_id, start, currency, orders, amount, refunded, cancelled, first_orders)
      values ('${many}', '2025-01-01', 'EUR', 18000, 126000, 0, 0, 6000)`);
    const database = await openDatabase(service.database.url, 1);
    try {
      for (const maxCustomers of [6000, 1500, 20]) {
        const { customers, isSampled, thresholds } = await readThresholds(database.sql, many, {
          ...{ currency: null, maxCustomers },
        });
        expect(isSampled).to.equal(maxCustomers < 6000);
        expect(customers).to.be.within(3000, 9000);
        expect(thresholds).to.include({ recentDays: 12, highAmount: '7' });
      }
    } finally {
      await database.close();
    }
  });

  it('counts orders that name no currency as those of the store', async () => {
    const store = await service.newStore();
    await service.database.query(`
      insert into customer_value (store_id, profile_id, currency, orders, amount, refunded, first_at, last_at)
      select '${store}', case when n > 20 then gen_random_uuid() else md5(n::text)::uuid end, currency, 2, 5, 0, now(),
        now() - interval '1.5 days'
      from generate_series(1, 30) n, (values ('USD', 1, 30), ('', 1, 20)) v (currency, first, last)
      where n between first and last`);
    const database = await openDatabase(service.database.url, 1);
    try {
      const of = (currency: string | null) => readThresholds(database.sql, store, { currency });
      expect(await of('USD')).to.deep.include({ customers: 30, currency: 'USD' });
      expect((await of('USD')).thresholds).to.include({ manyOrders: 4, highAmount: '10' });
      expect((await of('EUR')).thresholds).to.include({ manyOrders: 2, highAmount: '5' });
    } finally {
      await database.close();
    }
  });

  it('makes them for a store once at a time, as they take what reports take', async () => {
    const release = await holdTable(service.database, 'customer_value');
    try {
      const answers = await Promise.all(
        Array.from({ length: 25 }, () => client.post<any>('/v1/segments/rfm', undefined)),
      );
      const refused = answers.filter(({ body }) => body.error?.message.startsWith('Too many reports'));
      expect(refused).to.have.length.greaterThan(3);
      expect(new Set(refused.map(({ status }) => status))).to.deep.equal(new Set([502]));
    } finally {
      await release();
    }
  });
});
