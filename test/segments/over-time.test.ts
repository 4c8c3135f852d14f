import { expect } from 'chai';
import { SegmentRoom } from './support/room.ts';

const DAY = 24 * 60 * 60 * 1000;

describe('Segments of what happened in which order, and since when', () => {
  let hall: SegmentRoom;
  let room: SegmentRoom;

  before(async () => {
    hall = await SegmentRoom.open();
  });
  after(() => hall.close());
  beforeEach(async () => {
    room = await hall.newStore();
  });

  const ago = (days: number) => ({ occurred_at: new Date(room.now - days * DAY).toISOString() });
  const settled = async (id: string) => {
    await room.settle();
    return room.members(id);
  };

  it('have whom nothing followed once its time is over, and lose whom it followed late', async () => {
    const ada = await room.send('started_checkout', 'ada@example.com', {}, ago(1));
    await room.send('started_checkout', 'grace@example.com', {}, ago(1));
    await room.send('placed_order', 'grace@example.com', {}, ago(0.5));
    const { id } = await room.create({
      sequence: {
        event_type: 'started_checkout',
        followed_by: { event_type: 'placed_order', within: 'P3D', happened: false },
      },
    });
    const { id: bought } = await room.create({
      sequence: { event_type: 'started_checkout', followed_by: { event_type: 'placed_order', within: 'P3D' } },
    });
    expect(await settled(id)).to.deep.equal([]);
    expect(await room.members(bought)).to.have.lengthOf(1);
    room.pass(2 * DAY + 60_000);
    expect(await settled(id)).to.deep.equal([ada]);
    // It is received late, and was in time.
    await room.send('placed_order', 'ada@example.com', {}, ago(1));
    expect(await settled(id)).to.deep.equal([]);
    expect(await room.members(bought))
      .to.have.lengthOf(2)
      .and.include(ada);
  });

  it('follow which event is the first and which the last, and when they were', async () => {
    const ada = await room.send('placed_order', 'ada@example.com', { total: 60, coupon: 'WELCOME' }, ago(10));
    const last = await room.create({
      occurrence: { which: 'last', event_type: 'placed_order', where: { property: 'total', op: 'gt', value: 50 } },
    });
    const first = await room.create({
      occurrence: {
        which: 'first',
        event_type: 'placed_order',
        window: { last: '30d' },
        where: { property: 'coupon', op: 'eq', value: 'WELCOME' },
      },
    });
    expect(first.definition.occurrence.window).to.deep.equal({ last: 'P30D' });
    expect([await settled(last.id), await room.members(first.id)]).to.deep.equal([[ada], [ada]]);
    await room.send('placed_order', 'ada@example.com', { total: 20 }, ago(1));
    expect([await settled(last.id), await room.members(first.id)]).to.deep.equal([[], [ada]]);
    room.pass(20 * DAY);
    expect(await settled(first.id)).to.deep.equal([]);
    // What comes late may be the first.
    await room.send('placed_order', 'grace@example.com', { coupon: 'WELCOME' }, ago(5));
    expect(await settled(first.id)).to.have.lengthOf(1);
    await room.send('placed_order', 'grace@example.com', {}, ago(6));
    expect(await settled(first.id)).to.deep.equal([]);
  });

  it('compare attributes with one another, and with what events come to', async () => {
    const ada = await room.send('placed_order', 'ada@example.com', { total: 30 }, ago(2));
    await room.upsert('ada@example.com', { goal: 50, limit: 40, zip: '10115' });
    const { id: goals } = await room.create({ attribute: 'goal', op: 'gt', value_of: { attribute: 'limit' } });
    const { id: spent } = await room.create({
      attribute: 'goal',
      op: 'lte',
      value_of: { did: { event_type: 'placed_order', measure: 'sum', property: 'total', within: 'P10D' } },
    });
    expect([await settled(goals), await room.members(spent)]).to.deep.equal([[ada], []]);
    await room.send('placed_order', 'ada@example.com', { total: 20 }, ago(1));
    await room.upsert('ada@example.com', { limit: 50 });
    expect([await settled(goals), await room.members(spent)]).to.deep.equal([[], [ada]]);
    room.pass(9 * DAY);
    expect(await settled(spent)).to.deep.equal([]);
  });

  it('compare what events come to, with a value and with what others come to', async () => {
    const of = (measure: string, more: object = {}) => ({
      ...{ event_type: 'placed_order', measure, ...(measure === 'count' ? {} : { property: 'total' }) },
      ...more,
    });
    const ada = await room.send('placed_order', 'ada@example.com', { total: 30 }, ago(8));
    await room.send('placed_order', 'ada@example.com', { total: 10 }, ago(2));
    const { id: above } = await room.create({
      events: of('last'),
      op: 'gt',
      value_of: { did: of('average') },
    });
    const { id: more } = await room.create({
      events: of('count', { within: 'P5D' }),
      op: 'gt',
      value_of: { did: of('count', { window: { ago: { min: 'P5D', max: 'P10D' } } }) },
    });
    const { id: large } = await room.create({ events: of('sum'), op: 'gte', value: 80 });
    expect([await settled(above), await room.members(more), await room.members(large)]).to.deep.equal([[], [], []]);
    await room.send('placed_order', 'ada@example.com', { total: 40 }, ago(1));
    expect([await settled(above), await room.members(more), await room.members(large)]).to.deep.equal([
      [ada],
      [ada],
      [ada],
    ]);
    // By then nothing is of the last five days any more, and two are of the five before.
    room.pass(4.5 * DAY);
    expect([await settled(above), await room.members(more)]).to.deep.equal([[ada], []]);
  });

  it('ask since when somebody is in a list or a segment, also after it was built anew', async () => {
    const ada = await room.upsert('ada@example.com', { tier: 'gold' });
    const { body: list } = await room.client.post('/v1/lists', { name: 'News' }, { expect: 201 });
    const members = { members: [{ profile_id: ada }] };
    await room.client.post(`/v1/lists/${list.id}/members`, members, { expect: 200 });
    const { id: gold } = await room.create({ attribute: 'tier', op: 'eq', value: 'gold' });
    await room.settle();
    const ids: string[] = [];
    for (const definition of [
      { list: list.id, joined: { last: 'P7D' } },
      { list: list.id, for: 'P7D' },
      { segment: gold, joined: { last: 'P7D' } },
      { segment: gold, for: 'P7D' },
    ])
      ids.push((await room.create(definition)).id);
    const all = async () => {
      await room.settle();
      return Promise.all(ids.map(async (id) => (await room.members(id)).length));
    };
    expect(await all()).to.deep.equal([1, 0, 1, 0]);
    room.pass(7 * DAY + 60_000);
    await room.client.post(`/v1/segments/${gold}/rebuild`, undefined, { expect: 202 });
    expect(await all()).to.deep.equal([0, 1, 0, 1]);
    await room.client.post(`/v1/lists/${list.id}/members/remove`, members, { expect: 200 });
    expect(await all()).to.deep.equal([0, 0, 0, 1]);
  });

  it('name what is wrong', async () => {
    const sequence = { event_type: 'a', followed_by: { event_type: 'b', within: 'P1D' } };
    const did = { event_type: 'placed_order', measure: 'sum', property: 'total' };
    const cases: [definition: object, field: string][] = [
      [{ attribute: 'a', op: 'gt', value: 1, value_of: { attribute: 'b' } }, 'value'],
      [{ attribute: 'a', op: 'in', value_of: { attribute: 'b' } }, 'value_of'],
      [{ attribute: 'a', op: 'gt', value_of: {} }, 'value_of'],
      [{ attribute: 'a', op: 'gt', value_of: { attribute: 'b', did } }, 'value_of.did'],
      [{ attribute: 'a', op: 'gt', value_of: { property: 'b' } }, 'value_of.property'],
      [{ attribute: 'a', op: 'before', value_of: { did } }, 'value_of.did.measure'],
      [{ attribute: 'a', op: 'gt', value_of: { did: { ...did, measure: 'median' } } }, 'value_of.did.measure'],
      [{ attribute: 'a', op: 'gt', value_of: { did: { ...did, measure: 'count' } } }, 'value_of.did.property'],
      [{ attribute: 'a', op: 'gt', value_of: { did: { event_type: 'x', measure: 'sum' } } }, 'value_of.did.property'],
      [{ attribute: 'a', op: 'gt', value_of: { did: { ...did, within: 'P0D' } } }, 'value_of.did.within'],
      [{ events: did, op: 'gt' }, 'value'],
      [{ events: did, op: 'gt', value: 'a' }, 'value'],
      [{ events: did, op: 'after', value: '2026-01-01' }, 'events.measure'],
      [{ events: { ...did, measure: 'count' }, op: 'gt', value: 1 }, 'events.property'],
      [{ events: { ...did, within: '-P1D' }, op: 'gt', value: 1 }, 'events.within'],
      [{ events: did, op: 'gt', value_of: { property: 'a' } }, 'value_of.property'],
      [{ occurrence: { which: 'second', event_type: 'x' } }, 'occurrence.which'],
      [
        { occurrence: { which: 'last', event_type: 'x', where: { attribute: 'a', op: 'exists' } } },
        'occurrence.where.attribute',
      ],
      [{ sequence: { event_type: 'a' } }, 'sequence.followed_by'],
      [{ sequence: { ...sequence, followed_by: { event_type: 'b', within: '-P1D' } } }, 'sequence.followed_by.within'],
      [{ sequence: { ...sequence, within: 'P1D', window: { last: 'P1D' } } }, 'sequence.window'],
      [{ list: room.storeId, for: 'P1D', joined: { last: 'P1D' } }, 'for'],
      [{ list: room.storeId, for: 'P0D' }, 'for'],
      [
        {
          did: { event_type: 'x', filter: { property: 'a', op: 'gt', value_of: { attribute: 'b' } } },
        },
        'did.filter.value_of.attribute',
      ],
    ];
    for (const [definition, field] of cases) {
      const body = { name: 'Test', definition };
      const { body: refusal } = await room.client.post('/v1/segments', body, { expect: 400 });
      expect(refusal.error.field ?? JSON.stringify(refusal), JSON.stringify(definition)).to.match(
        new RegExp(`definition.*${field.split('.').at(-1)}$`),
      );
    }
  });
});
