import { expect } from 'chai';
import { type EngineRoom, useRooms } from './support/engine-room.ts';

const STEPS = [{ id: 'first', type: 'emit_event' as const, event_type: 'greeted', next: null }];

describe('Conditions of automations', () => {
  let room: EngineRoom;

  useRooms((one) => {
    room = one;
  });

  /** Which of several conditions let a customer in, for whom the same has happened. */
  async function holding(conditions: readonly object[], properties = {}): Promise<boolean[]> {
    const ids: string[] = [];
    for (const entry_condition of conditions) {
      ids.push(
        await room.publish({
          trigger: { type: 'event', event_type: 'asked' },
          entry_condition: entry_condition as never,
          steps: STEPS,
        }),
      );
    }
    await room.send('asked', 'ada@example.com', properties);
    await room.settle();
    const held: boolean[] = [];
    for (const id of ids) held.push((await room.runs(id)).length > 0);
    return held;
  }

  const daysAgo = (days: number) => ({ occurred_at: new Date(Date.now() - days * 86_400_000).toISOString() });

  it('compare counts and exact sums of events, in windows, as those of segments do', async () => {
    await room.send('ordered', 'ada@example.com', { value: 0.1, lines: { shoes: 3 } }, daysAgo(1));
    await room.send('ordered', 'ada@example.com', { value: 0.2, lines: { shoes: 'two' } }, daysAgo(2));
    await room.send('ordered', 'ada@example.com', { value: '5' }, daysAgo(40));
    const did = (more: object) => ({ did: { event_type: 'ordered', ...more } });
    const conditions: [object, boolean][] = [
      [did({ sum: { property: 'value', op: 'eq', value: 0.3 } }), true],
      [did({ sum: { property: 'value', op: 'gt', value: 0.3 } }), false],
      [did({ sum: { property: ['lines', 'shoes'], op: 'gte', value: 3 }, window: { last: 'P3D' } }), true],
      [did({ average: { property: 'value', op: 'lt', value: 0.16 } }), true],
      [did({ average: { property: 'missing', op: 'lt', value: 9 } }), false],
      [did({ minimum: { property: 'value', op: 'eq', value: 0.1 } }), true],
      [did({ maximum: { property: 'value', op: 'eq', value: 0.2 } }), true],
      [did({ distinct: { property: 'value', op: 'eq', value: 3 } }), true],
      [
        did({ distinct: { property: 'value', op: 'eq', value: 2 }, filter: { property: 'value', op: 'lt', value: 1 } }),
        true,
      ],
      [did({ days: { op: 'eq', value: 3, time_zone: 'Asia/Tokyo' } }), true],
      [did({ count: { op: 'eq', value: 2 }, window: { last: 'P30D' } }), true],
      [did({ count: { op: 'lt', value: 3 } }), false],
      [did({ window: { ago: { min: 'P30D', max: 'P60D' } } }), true],
      [did({ window: { ago: { min: 'P41D', max: 'P60D' } } }), false],
      [did({ count: { op: 'gte', value: 2 }, window: { last: 'P3D', calendar: true, time_zone: 'Asia/Tokyo' } }), true],
      [did({ window: { from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' } }), false],
      [{ not: did({ count: { op: 'lte', value: 2 }, filter: { property: 'value', op: 'exists' } }) }, true],
    ];
    expect(await holding(conditions.map(([condition]) => condition))).to.deep.equal(
      conditions.map(([, holds]) => holds),
    );
  });

  it('compare with other values: of the customer, of the event, and of what was before', async () => {
    await room.upsert('ada@example.com', { limit: 30, city: 'Köln', seen: ['a', 'b'] });
    await room.send('asked', 'ada@example.com', { total: 10, city: 'Bonn' }, daysAgo(3));
    await room.send('asked', 'ada@example.com', { total: 20, city: 'Köln' }, daysAgo(2));
    const did = (more: object) => ({ did: { event_type: 'asked', ...more } });
    const total = (op: string, value_of: object) => ({ property: 'total', op, value_of });
    const conditions: [object, boolean][] = [
      // Without itself, which is 40: the average of 10 and 20.
      [total('gt', did({ measure: 'average', property: 'total' })), true],
      [total('eq', did({ measure: 'average', property: 'total' })), false],
      [total('gt', did({ measure: 'maximum', property: 'total', within: 'PT1H' })), false],
      [total('gt', did({ measure: 'count' })), true],
      [{ attribute: 'limit', op: 'eq', value_of: did({ measure: 'sum', property: 'total' }) }, true],
      [total('gt', { attribute: 'limit' }), true],
      [total('neq', { attribute: 'missing' }), false],
      [total('neq', { attribute: 'city' }), true],
      [{ property: 'city', op: 'eq', value_of: { attribute: 'city' } }, false],
      [{ property: 'city', op: 'eq', ignore_case: true, value_of: { attribute: 'city' } }, true],
      [{ property: 'city', op: 'eq', ignore_case: true, value_of: did({ measure: 'last', property: 'city' }) }, true],
      [{ property: 'city', op: 'eq', value_of: did({ measure: 'first', property: 'city' }) }, false],
      [{ attribute: 'seen', op: 'contains', value_of: { property: 'kind' } }, true],
      [total('gt', { property: 'least' }), true],
      // On the left it counts, as in all that customers have done.
      [{ events: { event_type: 'asked', measure: 'last', property: 'total' }, op: 'eq', value: 40 }, true],
      [{ events: { event_type: 'asked', measure: 'count' }, op: 'gt', value_of: did({ measure: 'count' }) }, true],
      [
        {
          events: { event_type: 'asked', measure: 'last', property: 'total' },
          op: 'gt',
          value_of: did({ measure: 'average', property: 'total' }),
        },
        true,
      ],
      [
        {
          events: { event_type: 'asked', measure: 'sum', property: 'total' },
          op: 'lte',
          value_of: { attribute: 'limit' },
        },
        false,
      ],
    ];
    expect(
      await holding(
        conditions.map(([condition]) => condition),
        { total: 40, city: 'KÖLN', kind: 'b', least: 39.5 },
      ),
    ).to.deep.equal(conditions.map(([, holds]) => holds));
  });

  it('ask for the first and the last event, for what followed, and since when somebody is in a list', async () => {
    await room.send('ordered', 'ada@example.com', { total: 60, coupon: 'WELCOME' }, daysAgo(20));
    await room.send('ordered', 'ada@example.com', { total: 20 }, daysAgo(2));
    await room.send('left_cart', 'ada@example.com', {}, daysAgo(25));
    await room.send('left_cart', 'ada@example.com', {}, daysAgo(3));
    const ada = await room.upsert('ada@example.com', {});
    const { body: list } = await room.client.post('/v1/lists', { name: 'News' }, { expect: 201 });
    const members = { members: [{ profile_id: ada }] };
    await room.client.post(`/v1/lists/${list.id}/members`, members, { expect: 200 });
    const ordered = (which: string, more: object) => ({ occurrence: { which, event_type: 'ordered', ...more } });
    const dear = { property: 'total', op: 'gt', value: 50 };
    const sequence = (within: string, more = {}) => ({
      sequence: { event_type: 'left_cart', followed_by: { event_type: 'ordered', within, ...more } },
    });
    const conditions: [object, boolean][] = [
      [ordered('last', { where: dear }), false],
      [ordered('last', { filter: dear, where: { property: 'coupon', op: 'exists' } }), true],
      [ordered('first', { where: dear }), true],
      [ordered('first', { where: { property: 'coupon', op: 'eq', value: 'WELCOME' }, window: { last: 'P30D' } }), true],
      [ordered('first', { within: 'P10D' }), false],
      [ordered('last', { within: 'P10D' }), true],
      [{ occurrence: { which: 'first', event_type: 'refunded' } }, false],
      [{ occurrence: { which: 'last', event_type: 'asked', within: 'P1D' } }, true],
      [sequence('P2D'), true],
      [sequence('PT1H'), false],
      [sequence('P5D', { happened: false }), false],
      [sequence('PT1H', { happened: false }), true],
      [sequence('P4D', { happened: false }), true],
      [{ list: list.id, joined: { last: 'P1D' } }, true],
      [{ list: list.id, for: 'P1D' }, false],
    ];
    expect(await holding(conditions.map(([condition]) => condition))).to.deep.equal(
      conditions.map(([, holds]) => holds),
    );
  });

  it('ask where dates of the customer and of the event lie from today', async () => {
    await room.upsert('ada@example.com', { born: '1990-02-28', trial: '2020-01-01', zone: 'Pacific/Kiritimati' });
    const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
    await room.upsert('ada@example.com', { ends: day(3), born: `1990${day(1).slice(4)}` });
    await room.send('booked', 'ada@example.com', { arrival: day(3) });
    const ends = (more: object) => ({ date: { attribute: 'ends', ...more } });
    const booked = (more: object) => ({
      did: { event_type: 'booked', filter: { date: { property: 'arrival', ...more } } },
    });
    const conditions: [object, boolean][] = [
      [ends({ next: 'P10D' }), true],
      [ends({ last: 'P10D' }), false],
      [ends({ after: 'P1D' }), true],
      [ends({ after: 'P6D' }), false],
      [ends({ before: day(9) }), true],
      [{ date: { attribute: 'trial', before: 'P0D' } }, true],
      [{ date: { attribute: 'born', anniversary: { next: 'P3D' } } }, true],
      [{ date: { attribute: 'born', anniversary: { in: 'P100D' } } }, false],
      [{ not: { date: { attribute: 'unknown', next: 'P3D' } } }, true],
      [ends({ next: 'P10D', time_zone: { attribute: 'zone', default: 'UTC' } }), true],
      [booked({ next: 'P10D' }), true],
      [booked({ last: 'P10D' }), false],
    ];
    expect(await holding(conditions.map(([condition]) => condition))).to.deep.equal(
      conditions.map(([, holds]) => holds),
    );
  });

  const IS_ACME = { property: 'brand', op: 'eq', value: 'Acme' };
  const IS_DEAR = { property: ['price', 'amount'], op: 'gt', value: 50 };
  const items = (where: object, match?: string, property: string | string[] = 'items') => ({
    items: { property, where, ...(match && { match }) },
  });

  it('ask for items of which all tests hold of one, in the event and in those before', async () => {
    const [acme, dear] = [
      { brand: 'Acme', price: { amount: 20 } },
      { brand: 'Other', price: { amount: 60 } },
    ];
    const both = { brand: 'Acme', price: { amount: 51 } };
    const BOTH = { all: [IS_ACME, IS_DEAR] };
    const cases: [properties: object, condition: object, holds: boolean][] = [
      [{ items: [acme, dear] }, items(BOTH), false],
      [{ items: [acme, dear] }, { all: [items(IS_ACME), items(IS_DEAR)] }, true],
      [{ items: [acme, both] }, items(BOTH, 'any'), true],
      [{ items: [acme, both] }, items(IS_ACME, 'all'), true],
      [{ items: [acme, dear] }, items(IS_ACME, 'all'), false],
      [{ items: [acme, dear] }, items(BOTH, 'none'), true],
      [{ cart: { items: [both] } }, items(BOTH, 'any', ['cart', 'items']), true],
      [{ items: [] }, items(IS_ACME, 'none'), true],
      [{ items: [] }, items(IS_ACME, 'all'), false],
      [{ items: both }, items(IS_ACME), false],
      [{ items: both }, items(IS_ACME, 'none'), false],
      [{}, items(IS_ACME, 'none'), false],
      [{}, { not: items(IS_ACME) }, true],
      [{ items: ['Acme', null, [both]] }, items({ property: 'brand', op: 'not_exists' }, 'all'), true],
      [{ items: [...Array(99).fill(acme), dear, both] }, items(IS_DEAR), true],
      [{ items: [...Array(100).fill(acme), dear] }, items(IS_DEAR), false],
      [{ items: [...Array(100).fill(acme), dear] }, items(IS_ACME, 'all'), true],
    ];
    for (const [i, [properties]] of cases.entries()) await room.send(`did_${i}`, 'ada@example.com', properties);
    const ids: string[] = [];
    for (const [i, [, condition]] of cases.entries()) {
      const did = { did: { event_type: `did_${i}`, filter: condition } };
      const trigger = { type: 'event', event_type: `asked_${i}` } as const;
      ids.push(await room.publish({ trigger, entry_condition: condition as never, steps: STEPS }));
      ids.push(await room.publish({ trigger, entry_condition: did as never, steps: STEPS }));
    }
    for (const [i, [properties]] of cases.entries()) await room.send(`asked_${i}`, 'ada@example.com', properties);
    await room.settle();
    const held: boolean[] = [];
    for (const id of ids) held.push((await room.runs(id)).length > 0);
    expect(held).to.deep.equal(cases.flatMap(([, , holds]) => [holds, holds]));
  });

  it('keep the list for later steps, and tell which item decided', async () => {
    const id = await room.publish({
      trigger: { type: 'event', event_type: 'asked' },
      start: 'wait',
      steps: [
        { id: 'wait', type: 'delay', for: 'PT1H', next: 'choose' },
        { id: 'choose', type: 'branch', cases: [{ when: items(IS_ACME) as never, next: 'first' }], else: null },
        ...STEPS,
      ],
    });
    await room.send('asked', 'ada@example.com', { items: [{ brand: 'Other' }, { brand: 'Acme' }], other: 'x' });
    await room.settle();
    room.pass('PT1H');
    await room.settle();
    const { body: listed } = await room.client.get<any>(`/v1/automations/${id}/runs`, { expect: 200 });
    const { body } = await room.client.get<any>(`/v1/runs/${listed.runs[0].id}`, { expect: 200 });
    const { detail } = body.timeline.find((one: any) => one.outcome === 'branched');
    expect(detail).to.include({ case: 0, next: 'first' });
    expect(detail.condition).to.deep.equal({ path: '', condition: items(IS_ACME), saw: '{"brand":"Acme"}' });
    const body2 = { profile: { email: 'ada@example.com' }, properties: { items: [{ brand: 'Other' }] } };
    const simulated = await room.client.post<any>(`/v1/automations/${id}/simulate`, body2, { expect: 200 });
    const choice = simulated.body.timeline.find((one: any) => one.outcome === 'branched');
    expect(choice.detail).to.include({ case: null });
    expect(choice.detail.condition).to.include({ saw: '[{"brand":"Other"}]' });
  });

  it('take a sum that no number can hold for what it is', async () => {
    for (const email of ['ada@example.com', 'bob@example.com']) {
      await room.send('ordered', email, { value: 1e308 });
      await room.send('ordered', email, { value: 1e308 });
    }
    const id = await room.publish({
      trigger: { type: 'event', event_type: 'asked' },
      steps: [
        { id: 'wait', type: 'delay', for: 'PT1H', next: 'choose' },
        {
          ...{ id: 'choose', type: 'branch', else: null },
          cases: [
            {
              when: { did: { event_type: 'ordered', sum: { property: 'value', op: 'gt', value: 1 } } },
              next: 'first',
            },
          ],
        },
        ...STEPS,
      ],
      start: 'wait',
    });
    for (const email of ['ada@example.com', 'bob@example.com']) await room.send('asked', email);
    await room.settle();
    room.pass('PT1H');
    await room.settle();
    expect((await room.runs(id)).map(({ status }) => status)).to.deep.equal(['ended', 'ended']);
    const { body } = await room.client.get<any>('/v1/events?event_type=greeted');
    expect(body.events).to.have.lengthOf(2);
  });

  it('may be in the former form of segments, and are shown in today’s', async () => {
    const definitionWith = (entry_condition: object) => ({
      ...{ name: 'Greet', trigger: { type: 'event', event_type: 'asked' }, entry_condition },
      ...{ start: 'first', steps: STEPS },
    });
    const event = { type: 'ordered', measure: 'sum', property: 'value', op: 'gte', value: 50, window: { last: '30d' } };
    const former = {
      all: [{ event }, { not: { attribute: { name: 'tier', op: 'eq', value: 'gold' } } }, { identifier: 'email' }],
    };
    const { body } = await room.client.post<any>(
      '/v1/automations',
      { definition: definitionWith(former) },
      { expect: 201 },
    );
    const sum = { property: 'value', op: 'gte', value: 50 };
    expect(body.problems).to.deep.equal([]);
    expect(body.draft.entry_condition).to.deep.equal({
      all: [
        { did: { event_type: 'ordered', sum, window: { last: 'P30D' }, from_client: true } },
        { not: { attribute: 'tier', op: 'eq', value: 'gold' } },
        { identifier: 'email', op: 'exists' },
      ],
    });
    const half = { definition: definitionWith({ event: { type: 'ordered', op: 'gte' } }) };
    const { body: refused } = await room.client.post<any>('/v1/automations', half, { expect: 400 });
    expect(refused.error.field).to.equal('definition.entry_condition.event.value');
  });
});
