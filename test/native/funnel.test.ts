import { expect } from 'chai';
import { type OrmDatabase, openOrm, SETTINGS_OF_ENGINES } from '../../src/db/orm.ts';
import type { Caller } from '../../src/domain/caller.ts';
import { readFunnelNumbers } from '../../src/domain/reports/funnel/funnel.ts';
import { readFunnel } from '../../src/domain/reports/funnel/steps.ts';
import { Random } from '../segments/support/random.ts';
import type { Client } from '../support/client.ts';
import { holdTable } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const HOUR = 60 * 60 * 1000;
const DAYS = { from: '2026-03-01', to: '2026-03-31' };
const START = Date.parse('2026-03-01T00:00:00Z');
const STEPS = [{ event_type: 'viewed' }, { event_type: 'ordered' }];

let service: TestService;
let client: Client;
let storeId: string;

before(async () => {
  service = await TestService.start();
});
after(() => service?.stop());

beforeEach(async () => {
  storeId = await service.newStore();
  client = (await service.client()).as((await service.newKey({ storeId })).key);
});

interface Sent {
  type: string;
  who: string;
  /** Hours after the range begins. */
  at: number;
  properties?: object;
}

async function send(events: readonly Sent[]): Promise<void> {
  const body = events.map(({ type, who, at, properties = {} }) => ({
    event_type: type,
    profile: { external_id: who },
    occurred_at: new Date(START + at * HOUR).toISOString(),
    properties,
  }));
  await client.post('/v1/events/bulk', { events: body }, { expect: 201 });
}

async function funnel(fields: object = {}): Promise<any> {
  return (await client.post<any>('/v1/reports/funnel', { steps: STEPS, ...DAYS, ...fields }, { expect: 200 })).body;
}
const countsOf = ({ steps }: any) => steps.map(({ profiles }: any) => profiles.estimate);

describe('POST /v1/reports/funnel', () => {
  it('counts customers once, from their earliest first step, in order and within the window', async () => {
    await send([
      { type: 'viewed', who: 'in time', at: 0 },
      { type: 'ordered', who: 'in time', at: 24 },
      { type: 'viewed', who: 'in time', at: 30 },
      { type: 'viewed', who: 'too late', at: 0 },
      { type: 'viewed', who: 'too late', at: 40 },
      { type: 'ordered', who: 'too late', at: 49 },
      { type: 'ordered', who: 'in another order', at: 0 },
      { type: 'viewed', who: 'in another order', at: 1 },
      { type: 'viewed', who: 'at the last moment', at: 0 },
      { type: 'ordered', who: 'at the last moment', at: 48 },
    ]);
    const body = await funnel({ window: 'P2D' });
    expect(body).to.include({
      from: DAYS.from,
      to: DAYS.to,
      time_zone: 'UTC',
      window: 'P2D',
      event_count: 10,
      sample: null,
    });
    expect(body.steps).to.deep.equal([
      {
        event_type: 'viewed',
        profiles: { estimate: 4, low: 4, high: 4 },
        share_of_first: { estimate: 1, low: 1, high: 1 },
        share_of_previous: { estimate: 1, low: 1, high: 1 },
        median_seconds: null,
      },
      {
        event_type: 'ordered',
        profiles: { estimate: 2, low: 2, high: 2 },
        share_of_first: { estimate: 0.5, low: 0.5, high: 0.5 },
        share_of_previous: { estimate: 0.5, low: 0.5, high: 0.5 },
        median_seconds: 36 * 3600,
      },
    ]);
    expect(body.groups).to.deep.equal([]);
  });

  it('takes two events for a step that is named twice, and what happens at one time in the order of ids', async () => {
    await send([
      { type: 'viewed', who: 'a', at: 1 },
      { type: 'viewed', who: 'b', at: 1 },
      { type: 'viewed', who: 'b', at: 1 },
      { type: 'ordered', who: 'c', at: 1 },
      { type: 'viewed', who: 'c', at: 1 },
    ]);
    expect(countsOf(await funnel({ steps: [STEPS[0], STEPS[0]] }))).to.deep.equal([3, 1]);
    expect(countsOf(await funnel())).to.deep.equal([3, 0]);
  });

  it('goes on after the range, but begins within the days of the time zone of the store', async () => {
    await client.send('PATCH', '/v1/store', JSON.stringify({ time_zone: 'Asia/Tokyo' }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    await send([
      { type: 'viewed', who: 'before', at: -10 },
      { type: 'viewed', who: 'first', at: -9 },
      { type: 'viewed', who: 'last', at: 14.9 },
      { type: 'ordered', who: 'last', at: 30 },
      { type: 'viewed', who: 'after', at: 15 },
    ]);
    const body = await funnel({ from: '2026-03-01', to: '2026-03-01' });
    expect(countsOf(body)).to.deep.equal([2, 1]);
    expect(body.time_zone).to.equal('Asia/Tokyo');
  });

  it('looks at properties, which needs the scope to read events', async () => {
    await send([
      { type: 'viewed', who: 'a', at: 1, properties: { plan: 'gold' } },
      { type: 'viewed', who: 'b', at: 1, properties: { plan: 'basic' } },
    ]);
    const steps = [{ event_type: 'viewed', where: { property: 'plan', op: 'eq', value: 'gold' } }, STEPS[1]];
    expect(countsOf(await funnel({ steps }))).to.deep.equal([1, 0]);
    const { key } = await service.newKey({ storeId, scopes: ['reports:read'] });
    await client.as(key).post('/v1/reports/funnel', { steps, ...DAYS }, { expect: 403 });
    await client.as(key).post('/v1/reports/funnel', { steps: STEPS, ...DAYS }, { expect: 200 });
    const { key: other } = await service.newKey({ storeId, scopes: ['events:read'] });
    await client.as(other).post('/v1/reports/funnel', { steps: STEPS }, { expect: 403 });
  });

  it('counts values apart that five customers share, and all others together', async () => {
    const views = (device: unknown, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        type: 'viewed',
        who: `${device} ${n}`,
        at: n,
        properties: device === undefined ? {} : { device },
      }));
    await send([
      ...views('mobile', 6),
      ...views('desktop', 5),
      ...views('watch', 4),
      ...views(undefined, 1),
      ...views(true, 5),
    ]);
    await send([
      { type: 'ordered', who: 'mobile 0', at: 9, properties: { device: 'desktop' } },
      { type: 'ordered', who: 'watch 0', at: 9 },
    ]);
    const { steps, groups } = await funnel({ breakdown: 'device' });
    expect(countsOf({ steps })).to.deep.equal([21, 2]);
    expect(groups.map((group: any) => [group.value, ...countsOf(group)])).to.deep.equal([
      ['mobile', 6, 1],
      ['desktop', 5, 0],
      ['true', 5, 0],
      [null, 5, 1],
    ]);
  });

  it('counts customers who were merged as one, and not those who were erased', async () => {
    await send([
      { type: 'viewed', who: 'a', at: 1 },
      { type: 'ordered', who: 'b', at: 2 },
      { type: 'viewed', who: 'c', at: 1 },
    ]);
    const ids = async (who: string) =>
      (await client.get<any>(`/v1/profiles?external_id=${who}`, { expect: 200 })).body.profiles[0].id;
    const [winner, loser] = [await ids('a'), await ids('b')];
    await client.post(`/v1/profiles/${winner}/merge`, { from: loser }, { expect: 202 });
    const { body } = await client.post<any>('/v1/erasures', { external_id: 'c', events: 'anonymise' }, { expect: 202 });
    await until(
      async () => (await client.get<any>(`/v1/erasures/${body.id}`)).body.status === 'complete',
      'the customer is erased',
    );
    expect(countsOf(await funnel())).to.deep.equal([1, 1]);
  });

  it('answers the same question for a minute from what was worked out, and says of when that is', async () => {
    const { computed_at } = await funnel();
    await send([{ type: 'viewed', who: 'a', at: 1 }]);
    expect(await funnel()).to.include({ computed_at, event_count: 0 });
    expect(countsOf(await funnel({ window: 'P8D' }))).to.deep.equal([1, 0]);
  });

  it('says clearly when it takes too long', async () => {
    const release = await holdTable(service.database, 'event');
    try {
      const { body } = await client.post<any>('/v1/reports/funnel', { steps: STEPS }, { expect: 502 });
      expect(body.error).to.include({ code: 'upstream_error' });
      expect(body.error.message).to.include('fewer days');
    } finally {
      await release();
    }
  });

  it('names what is wrong', async () => {
    const where = { attribute: 'plan', op: 'exists' };
    const many = { all: Array.from({ length: 11 }, () => ({ property: 'a', op: 'exists' })) };
    const wrong: [object, string][] = [
      [{ steps: STEPS.slice(1) }, 'steps'],
      [{ steps: Array.from({ length: 7 }, () => STEPS[0]) }, 'steps'],
      [{ steps: [{ event_type: 'a\0' }, STEPS[1]] }, 'steps[0].event_type'],
      [{ steps: [STEPS[0], { event_type: 'ordered', where }] }, 'steps[1].where.attribute'],
      [{ steps: [STEPS[0], { event_type: 'ordered', where: many }] }, 'steps[1].where'],
      [{ window: 'P31D' }, 'window'],
      [{ window: 'PT0S' }, 'window'],
      [{ window: '' }, 'window'],
      [{ from: '2026-01-01', to: '2026-04-03' }, 'from'],
      [{ from: '2026-04-01' }, 'from'],
      [{ breakdown: '\0' }, 'breakdown'],
    ];
    for (const [fields, field] of wrong) {
      const { body } = await client.post<any>(
        '/v1/reports/funnel',
        { steps: STEPS, ...DAYS, ...fields },
        { expect: 400 },
      );
      expect(body.error.field, JSON.stringify(fields)).to.equal(field);
    }
  });
});

describe('Funnels of random histories', () => {
  let database: OrmDatabase;

  before(async () => {
    database = await openOrm(service.database.url, 1, SETTINGS_OF_ENGINES);
  });
  after(() => database?.close());

  /** As it is documented, one event after the other. */
  function naive(
    events: readonly Sent[],
    steps: readonly any[],
    hours: number,
  ): { counts: number[]; medians: (number | null)[] } {
    const people = new Map<string, Sent[]>();
    for (const event of events) people.set(event.who, [...(people.get(event.who) ?? []), event]);
    const gaps: number[][] = steps.map(() => []);
    const counts = steps.map(() => 0);
    for (const own of people.values()) {
      // Ids rise as events were sent, and the sort is stable.
      const sorted = own.toSorted((a, b) => a.at - b.at);
      let [step, start, before] = [0, 0, 0];
      for (const { type, at, properties } of sorted) {
        const { event_type, where } = steps[step] ?? {};
        if (type !== event_type || (where && (properties as any).plan !== where.value)) continue;
        if (step === 0 ? at < 0 || at >= 31 * 24 : at > start + hours) continue;
        if (step === 0) start = at;
        else gaps[step]?.push((at - before) * 3600);
        before = at;
        counts[step] = (counts[step] ?? 0) + 1;
        step += 1;
      }
    }
    const medians = gaps.map((all) => {
      const inOrder = all.toSorted((a, b) => a - b);
      const middle = inOrder.length / 2;
      if (inOrder.length === 0) return null;
      const [low, high] = [inOrder[Math.ceil(middle) - 1], inOrder[Math.floor(middle)]] as [number, number];
      return (low + high) / 2;
    });
    return { counts, medians };
  }

  it('are the same as those of a naive reading, of all events and of drawn customers', async () => {
    const random = new Random(46);
    const types = ['viewed', 'carted', 'ordered'];
    const events = Array.from({ length: 900 }, () => ({
      type: random.of(types),
      who: `c${random.below(60)}`,
      at: random.below(33 * 24 * 2) / 2 - 24,
      properties: { plan: random.of(['gold', 'basic']) },
    }));
    await send(events);
    const caller = { storeId } as Caller;
    const range = { from: new Date(START), to: new Date(START + 31 * 24 * HOUR) };
    for (let round = 0; round < 40; round += 1) {
      const steps = Array.from({ length: 2 + random.below(5) }, () => ({
        event_type: random.of(types),
        ...(random.chance(0.4) && {
          where: { property: 'plan', op: 'eq' as const, value: random.of(['gold', 'basic']) },
        }),
      }));
      const hours = 1 + random.below(30 * 24);
      const given = steps.map(({ event_type, ...where }) => ({ eventType: event_type, ...where, fromClient: true }));
      const asked = readFunnel({
        steps: given,
        window: `PT${hours}H`,
        breakdown: random.chance(0.5) ? 'plan' : undefined,
      });
      const expected = naive(events, steps, hours);
      for (const maxEvents of [1_000_000, -1]) {
        const {
          steps: found,
          groups,
          sample,
        } = await readFunnelNumbers(database.sql, caller, asked, { ...range, maxEvents });
        expect(sample).to.equal(null);
        expect(
          found.map(({ profiles }) => profiles.estimate),
          JSON.stringify(steps),
        ).to.deep.equal(expected.counts);
        expect(
          found.map(({ medianSeconds }) => medianSeconds),
          JSON.stringify(steps),
        ).to.deep.equal(expected.medians);
        for (const [i, count] of groups.length === 0 ? [] : expected.counts.entries()) {
          expect(groups.reduce((sum, group) => sum + (group.steps[i]?.profiles.estimate ?? 0), 0)).to.equal(count);
        }
      }
    }
  });
});
