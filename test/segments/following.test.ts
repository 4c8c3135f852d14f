import { expect } from 'chai';
import { SegmentRoom } from './support/room.ts';

const DAY = 24 * 60 * 60 * 1000;
const ORDERED = { event: { type: 'placed_order' } };

describe('What members of a segment follow', () => {
  let hall: SegmentRoom;
  let room: SegmentRoom;

  before(async () => {
    hall = await SegmentRoom.open();
  });
  after(() => hall.close());
  beforeEach(async () => {
    room = await hall.newStore();
  });

  it('those who are there are found, and each is a change', async () => {
    const ada = await room.send('placed_order', 'ada@example.com');
    await room.send('visited', 'grace@example.com');
    const { id, status, member_count } = await room.create(ORDERED);
    expect([status, member_count]).to.deep.equal(['building', null]);
    await room.settle();
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'live', member_count: 1, lag_seconds: 0 });
    expect(await room.members(id)).to.deep.equal([ada]);
    expect(await room.changes(id)).to.deep.equal([[ada, 'entered', 'definition']]);
  });

  it('an event, a change of a profile, consent and lists', async () => {
    const grace = await room.upsert('grace@example.com');
    const { body: list } = await room.client.post('/v1/lists', { name: 'News' }, { expect: 201 });
    const ids: string[] = [];
    for (const definition of [
      ORDERED,
      { attribute: { name: 'tier', op: 'in', value: ['gold', 'silver'] } },
      { consent: { channel: 'email', status: 'subscribed' } },
      { list: list.id },
    ])
      ids.push((await room.create(definition)).id);
    await room.settle();
    for (const id of ids) expect(await room.members(id)).to.deep.equal([]);
    await room.send('placed_order', 'grace@example.com');
    await room.upsert('grace@example.com', { tier: 'gold' });
    const consent = { email: { status: 'subscribed' } };
    const headers = { 'Content-Type': 'application/json' };
    await room.client.send('PUT', `/v1/profiles/${grace}/consent`, JSON.stringify(consent), { headers, expect: 200 });
    await room.client.post(`/v1/lists/${list.id}/members`, { members: [{ profile_id: grace }] }, { expect: 200 });
    expect((await room.get(`/v1/segments/${ids[0]}`)).computed_through < new Date().toISOString()).to.equal(true);
    await room.settle();
    for (const id of ids) expect(await room.members(id), id).to.deep.equal([grace]);
    const causes = await Promise.all(ids.map(async (id) => (await room.changes(id)).map(([, , cause]) => cause)));
    expect(causes).to.deep.equal([['event'], ['profile'], ['consent'], ['list']]);
    const { segments } = await room.get(`/v1/profiles/${grace}/segments`);
    expect(segments.map((segment: { id: string }) => segment.id)).to.have.members(ids);
  });

  it('somebody new, who may be in a segment that asks for what is not there', async () => {
    const { id } = await room.create({ not: { event: { type: 'refunded' } } });
    await room.settle();
    const ada = await room.send('placed_order', 'ada@example.com');
    await room.settle();
    expect(await room.members(id)).to.deep.equal([ada]);
  });

  it('the passage of time, to the millisecond', async () => {
    const at = new Date(room.now - 30 * DAY + 60_000).toISOString();
    const ada = await room.send('placed_order', 'ada@example.com', {}, { occurred_at: at });
    const { id } = await room.create({ event: { type: 'placed_order', window: { last: '30d' } } });
    await room.settle();
    expect(await room.members(id)).to.deep.equal([ada]);
    room.pass(Date.parse(at) + 30 * DAY - 1 - room.now - 1_000);
    await room.settle();
    expect(await room.members(id)).to.deep.equal([ada]);
    room.pass(1_001);
    await room.settle();
    expect(await room.members(id)).to.deep.equal([]);
    expect(await room.changes(id)).to.deep.equal([
      [ada, 'entered', 'definition'],
      [ada, 'left', 'time'],
    ]);
  });

  it('segments that name others, by the changes of these', async () => {
    const { id: buyers } = await room.create(ORDERED);
    const { id: others } = await room.create({ not: { segment: buyers } });
    const { id: both } = await room.create({ any: [{ segment: buyers }, { segment: others }] });
    const ada = await room.upsert('ada@example.com');
    await room.settle();
    expect([await room.members(buyers), await room.members(others)]).to.deep.equal([[], [ada]]);
    await room.send('placed_order', 'ada@example.com');
    await room.settle();
    expect([await room.members(buyers), await room.members(others)]).to.deep.equal([[ada], []]);
    expect(await room.changes(others)).to.deep.equal([
      [ada, 'entered', 'definition'],
      [ada, 'left', 'event'],
    ]);
    expect(await room.members(both)).to.deep.equal([ada]);
    expect(await room.changes(both)).to.have.length(1);
  });

  it('a new definition serves at once, when it is complete', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 8; n += 1) ids.push(await room.send(n % 2 ? 'placed_order' : 'visited', `c${n}@example.com`));
    const { id } = await room.create(ORDERED);
    await room.settle();
    const before = await room.members(id);
    await room.update(id, { revision: 1, name: 'Visitors', definition: { event: { type: 'visited' } } });
    const { buildRange } = await import('../../src/domain/segments/engine/build.ts');
    for (let n = 0; n < 3; n += 1) await buildRange(room.db, room.storeId, room.tools, 3);
    // What happens meanwhile moves the old members and the new ones.
    await room.send('visited', 'c1@example.com');
    await room.send('placed_order', 'c0@example.com');
    await room.readAll();
    expect(await room.members(id)).to.deep.equal([...before, ids[0]].sort());
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'building', member_count: 5 });
    await room.settle();
    const visitors = [0, 1, 2, 4, 6].map((n) => ids[n]).sort();
    expect(await room.members(id)).to.deep.equal(visitors);
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'live', member_count: 5, revision: 2 });
    const changes = (await room.changes(id)).slice(before.length + 1);
    expect(
      changes
        .filter(([, kind]) => kind === 'entered')
        .map(([one]) => one)
        .sort(),
    ).to.deep.equal([2, 4, 6].map((n) => ids[n]).sort());
    expect(
      changes
        .filter(([, kind]) => kind === 'left')
        .map(([one]) => one)
        .sort(),
    ).to.deep.equal([3, 5, 7].map((n) => ids[n]).sort());
    const rows = await room.service.database.query(
      `select generation from segment_member where segment_id = '${id}' group by 1`,
    );
    expect(rows).to.deep.equal([{ generation: 2 }]);
  });

  it('says why somebody is a member or not', async () => {
    const ada = await room.send('placed_order', 'ada@example.com', { value: 20 });
    const definition = {
      all: [
        {
          event: {
            type: 'placed_order',
            measure: 'sum',
            property: 'value',
            op: 'gte',
            value: 50,
            window: { last: '7d' },
          },
        },
        { not: { attribute: { name: 'tier', op: 'eq', value: 'gold' } } },
      ],
    };
    const { id } = await room.create(definition);
    await room.settle();
    const explained = await room.get(`/v1/segments/${id}/members/${ada}`);
    expect(explained).to.include({ member: false, matches: false, entered_at: null });
    const [sum, tier] = explained.conditions;
    expect(sum).to.include({ path: 'all[0]', matches: false, value: 20 });
    expect(sum.next_check).to.equal(explained.next_check);
    expect(tier).to.include({ path: 'all[1].not', matches: false, value: null, next_check: null });
    await room.get(`/v1/segments/${id}/members/${id}`, 404);
  });
});
