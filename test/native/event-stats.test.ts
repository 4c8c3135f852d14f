import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { record, refusedField } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const PATH = '/v1/events/stats';

describe('GET /v1/events/stats', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());
  beforeEach(async () => {
    client = await service.client();
  });

  const recordAt = (...events: [type: string, time: string][]) =>
    record(
      client,
      ...events.map(([event_type, occurred_at]) => ({ event_type, occurred_at, profile: { external_id: 'ada' } })),
    );
  const stats = async (query: Record<string, string>) =>
    (await client.get(`${PATH}?${new URLSearchParams(query)}`, { expect: 200 })).body;
  const summedUp = () =>
    until(
      async () => (await service.database.query('select 1 from event_count_new limit 1')).length === 0,
      'the counts are summed up',
    );

  it('counts the events of each type in each interval, the most frequent type first', async () => {
    await recordAt(
      ['order', '2026-03-01T23:59:59.999Z'],
      ['visit', '2026-03-02T00:00:00Z'],
      ['order', '2026-03-02T12:00:00Z'],
      ['visit', '2026-03-03T23:59:59.999Z'],
      ['visit', '2026-03-03T23:59:59.999Z'],
      ['order', '2026-03-04T00:00:00Z'],
    );
    const range = { from: '2026-03-02T05:00:00Z', to: '2026-03-03T05:00:00Z' };
    const expected = {
      interval: 'day',
      time_zone: 'UTC',
      from: '2026-03-02T00:00:00.000Z',
      to: '2026-03-04T00:00:00.000Z',
      total: 4,
      buckets: ['2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
      series: [
        { event_type: 'visit', total: 3, counts: [1, 2] },
        { event_type: 'order', total: 1, counts: [1, 0] },
      ],
    };
    expect(await stats(range)).to.deep.equal(expected);
    await summedUp();
    expect(await stats(range)).to.deep.equal(expected);
    expect((await stats({ ...range, event_type: 'order' })).series).to.deep.equal([expected.series[1]]);
  });

  it('counts an acknowledged event immediately, and a repeated one once', async () => {
    const event = { event_type: 'order', profile: { external_id: 'ada' } };
    const to = new Date(Date.now() + 3_600_000).toISOString();
    for (let n = 1; n <= 15; n += 1) {
      for (const idempotency_key of [`k${n}`, `k${n}`]) await client.post('/v1/events', { ...event, idempotency_key });
      expect((await stats({ to })).total).to.equal(n);
    }
  });

  it('counts events of bulk jobs', async () => {
    const attributes = {
      profile: { data: { type: 'profile', attributes: { external_id: 'ada' } } },
      events: {
        data: ['Placed Order', 'Placed Order'].map((name) => ({
          type: 'event',
          attributes: { properties: {}, metric: { data: { type: 'metric', attributes: { name } } } },
        })),
      },
    };
    const data = {
      type: 'event-bulk-create-job',
      attributes: { 'events-bulk-create': { data: [{ type: 'event-bulk-create', attributes }] } },
    };
    await client.post('/compat/v1/event-bulk-create-jobs', { data }, { expect: 202 });
    const to = new Date(Date.now() + 3_600_000).toISOString();
    await until(async () => (await stats({ to, event_type: 'placed_order' })).total === 2, 'they are counted');
  });

  it('uses the intervals of the time zone, even if the clock changes or its offset is not a whole hour', async () => {
    await recordAt(['a', '2026-10-24T22:00:00Z'], ['b', '2026-10-25T22:59:59Z'], ['c', '2026-10-25T23:00:00Z']);
    const range = { from: '2026-10-25T00:00:00Z', to: '2026-10-26T00:00:00Z' };
    const berlin = await stats({ ...range, time_zone: 'Europe/Berlin' });
    expect(berlin.buckets).to.deep.equal(['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
    const countsOf = (body: any) => Object.fromEntries(body.series.map((one: any) => [one.event_type, one.counts]));
    expect(countsOf(berlin)).to.deep.equal({ a: [1, 0], b: [1, 0], c: [0, 1] });
    const kathmandu = await stats({ ...range, time_zone: 'Asia/Kathmandu', interval: 'hour' });
    expect(kathmandu.buckets[0]).to.equal('2026-10-24T23:15:00.000Z');
    expect(kathmandu.series.map((one: any) => one.event_type)).to.have.members(['b', 'c']);
    await summedUp();
    expect(await stats({ ...range, time_zone: 'Europe/Berlin' })).to.deep.equal(berlin);
    expect(await stats({ ...range, time_zone: 'Asia/Kathmandu', interval: 'hour' })).to.deep.equal(kathmandu);
  });

  it('counts a day that begins and ends within one UTC day', async () => {
    const times = ['2026-03-28T23:59:59Z', '2026-03-29T00:00:00Z', '2026-03-29T22:59:59Z', '2026-03-29T23:00:00Z'];
    await recordAt(...times.map((time): [string, string] => ['visit', time]));
    const query = { from: '2026-03-28T00:00:00Z', to: '2026-03-30T23:00:00Z', time_zone: 'Europe/London' };
    const london = await stats(query);
    expect(london.buckets).to.deep.equal([
      '2026-03-28T00:00:00.000Z',
      '2026-03-29T00:00:00.000Z',
      '2026-03-29T23:00:00.000Z',
    ]);
    expect(london.series).to.deep.equal([{ event_type: 'visit', total: 4, counts: [1, 2, 1] }]);
    await summedUp();
    expect(await stats(query)).to.deep.equal(london);
  });

  it('uses weeks from Monday and months from the first', async () => {
    const to = '2026-03-02T00:00:00Z';
    const from = '2026-02-20T00:00:00Z';
    expect((await stats({ from, to, interval: 'week' })).buckets).to.deep.equal([
      '2026-02-16T00:00:00.000Z',
      '2026-02-23T00:00:00.000Z',
    ]);
    expect((await stats({ from, to, interval: 'month' })).buckets).to.deep.equal([
      '2026-02-01T00:00:00.000Z',
      '2026-03-01T00:00:00.000Z',
    ]);
  });

  it('ends the range now, and begins it some intervals earlier, by default', async () => {
    for (const [interval, count] of [
      ['hour', 25],
      ['day', 31],
      ['week', 13],
      ['month', 13],
    ] as const) {
      const asked = Date.now();
      const { buckets, to } = await stats({ interval });
      expect(buckets.length, interval).to.be.within(count - 1, count + 1);
      expect(Date.parse(to)).to.be.at.least(asked);
    }
  });

  it('merges all but the 50 most frequent types', async () => {
    const time = '2026-03-02T00:00:00Z';
    const types = Array.from({ length: 53 }, (_, i) => `type${i}`);
    await recordAt(
      ...types.flatMap((type, i): [string, string][] =>
        i < 50
          ? [
              [type, time],
              [type, time],
            ]
          : [[type, time]],
      ),
    );
    const { series, total } = await stats({ from: time, to: '2026-03-03T00:00:00Z' });
    expect(series).to.have.length(51);
    expect(series.at(-1)).to.deep.equal({ event_type: null, total: 3, counts: [3] });
    expect(total).to.equal(103);
  });

  /** Counts of a store, as if its events had been summed up: `perQuarter` of each type in each of the days. */
  const storeCounts = (storeId: string, types: string, days: number, perQuarter = '1') =>
    service.database.query(`
      insert into event_day (store_id, day, event_type, month, running)
      select '${storeId}', date '2026-03-01' + day, 'type' || type, '2026-03-01',
        array(select q * ${perQuarter} from generate_series(1, 96) q)
      from ${types} as type, generate_series(0, ${days - 1}) as day`);

  it('merges all but the most frequent of thousands of types', async () => {
    const { key, storeId } = await service.newKey();
    client = client.as(key);
    await storeCounts(storeId, 'generate_series(1, 1500)', 3, 'case when type <= 50 then 1001 - type else 1 end');
    // From 02:00 of the first day until 03:00 of the third.
    const query = { interval: 'hour', from: '2026-03-01T02:00:00Z', to: '2026-03-03T03:00:00Z' };
    const { series, total } = await stats(query);
    const frequent = Array.from({ length: 50 }, (_, i) => ({ event_type: `type${i + 1}`, total: 49 * 4 * (1000 - i) }));
    expect(series.map(({ event_type, total }: any) => ({ event_type, total }))).to.deep.equal([
      ...frequent,
      { event_type: null, total: 49 * 4 * 1450 },
    ]);
    expect(new Set(series[0].counts)).to.deep.equal(new Set([4_000]));
    expect(series.at(-1).counts).to.deep.equal(Array(49).fill(4 * 1450));
    expect(total).to.equal(series.reduce((sum: number, one: any) => sum + one.total, 0));
    expect((await stats({ ...query, event_type: 'type1500' })).series).to.deep.equal([
      { event_type: 'type1500', total: 49 * 4, counts: Array(49).fill(4) },
    ]);
  });

  it('refuses to count too many types and days at once, except for a single type', async () => {
    const { key, storeId } = await service.newKey();
    client = client.as(key);
    await storeCounts(storeId, 'generate_series(1, 4000)', 10);
    const range = 'from=2026-03-01T00:00:00Z&to=2026-03-11T00:00:00Z';
    expect(await refusedField(client, `${PATH}?interval=hour&${range}`)).to.equal('from');
    expect((await stats(Object.fromEntries(new URLSearchParams(range)))).total).to.equal(4000 * 10 * 96);
    const one = `${PATH}?interval=hour&${range}&event_type=type7`;
    expect((await client.get(one, { expect: 200 })).body.total).to.equal(960);
  });

  it('names an invalid parameter', async () => {
    for (const [query, field] of [
      ['interval=minute', 'interval'],
      ['time_zone=Mars', 'time_zone'],
      ['time_zone=', 'time_zone'],
      ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'from'],
      ['from=9000-01-01T00:00:00Z', 'from'],
      ['interval=hour&from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z', 'from'],
      ['from=0001-01-01T00:00:00Z', 'from'],
      ['to=now', 'to'],
      ['limit=5', 'limit'],
    ]) {
      expect(await refusedField(client, `${PATH}?${query}`), query).to.equal(field);
    }
  });
});
