import { expect } from 'chai';
import { SegmentRoom } from './support/room.ts';

/** So many that the pause between two looks is the longest, a minute. */
const MANY_EVENTS = 10_000;
const DAY = 24 * 60 * 60 * 1000;
const BUYERS = { event: { type: 'ordered', op: 'gte', value: MANY_EVENTS + 2 } };

describe('A customer of very many events', () => {
  let hall: SegmentRoom;
  let room: SegmentRoom;
  let ada: string;
  let id: string;

  before(async () => {
    hall = await SegmentRoom.open();
  });
  after(() => hall.close());
  beforeEach(async () => {
    room = await hall.newStore();
    ada = await room.send('ordered', 'ada@example.com');
    await room.service.database.query(`
      insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      select '${room.storeId}', id, '${ada}', 'ordered', '{}', now(), now()
      from (select uuidv7() as id from generate_series(1, ${MANY_EVENTS - 1})) ids`);
    id = (await room.create(BUYERS)).id;
    await room.settle();
    // The first look finds how large they are.
    await room.send('ordered', 'ada@example.com');
    await room.settle();
  });

  it('is looked at once a minute, and nothing claims more meanwhile', async () => {
    expect(await room.members(id)).to.deep.equal([]);
    const before = new Date().toISOString();
    await room.send('ordered', 'ada@example.com');
    const grace = await room.send('ordered', 'grace@example.com');
    const { id: other } = await room.create({ event: { type: 'ordered' } });
    await room.settle();
    expect(await room.members(id), 'waits').to.deep.equal([]);
    const waiting = await room.get(`/v1/segments/${id}`);
    expect(waiting.computed_through >= before && waiting.computed_through < new Date().toISOString()).to.equal(true);
    expect(await room.members(other), 'others do not wait').to.include(grace);
    await room.send('refunded', 'ada@example.com');
    room.pass(30_000);
    await room.settle();
    expect(await room.members(id), 'still waits').to.deep.equal([]);
    expect((await room.get(`/v1/segments/${id}`)).computed_through).to.equal(waiting.computed_through);
    room.pass(30_001);
    await room.settle();
    expect(await room.members(id)).to.deep.equal([ada]);
    expect(await room.changes(id)).to.deep.equal([[ada, 'entered', 'event']]);
    expect((await room.get(`/v1/segments/${id}`)).lag_seconds).to.equal(0);
  });

  it('enters for what has happened, not for the time that it took', async () => {
    await room.client.post(
      '/v1/events',
      { event_type: 'ordered', profile: { email: 'ada@example.com' }, backfill: true },
      { expect: 201 },
    );
    await room.settle();
    room.pass(60_001);
    await room.settle();
    expect(await room.changes(id)).to.deep.equal([[ada, 'entered', 'import']]);
  });

  it('leaves as the time comes, though something of the past was imported meanwhile', async () => {
    const visit = (ms: number, more: object) => {
      const occurred_at = new Date(room.now - ms).toISOString();
      return room.send('visited', 'ada@example.com', {}, { occurred_at, ...more });
    };
    await visit(30 * DAY - 100_000, {});
    const visitors = await room.create({ event: { type: 'visited', window: { last: '30d' } } });
    await room.settle();
    room.pass(60_001);
    await room.settle();
    expect(await room.members(visitors.id)).to.deep.equal([ada]);
    await visit(60 * DAY, { backfill: true });
    for (const ms of [40_000, 30_000, 60_000]) {
      room.pass(ms);
      await room.settle();
    }
    expect(await room.changes(visitors.id)).to.deep.equal([
      [ada, 'entered', 'definition'],
      [ada, 'left', 'time'],
    ]);
  });

  it('is one also where most events are of types that no segment asks for', async () => {
    await room.service.database.query(
      `update event set event_type = 'viewed' where store_id = '${room.storeId}' and profile_id = '${ada}'`,
    );
    const { id: visitors } = await room.create({ event: { type: 'visited' } });
    room.pass(60_001);
    await room.settle();
    await room.send('ordered', 'ada@example.com');
    room.pass(60_001);
    await room.settle();
    await room.send('visited', 'ada@example.com');
    await room.settle();
    expect(await room.members(visitors)).to.deep.equal([]);
    room.pass(60_001);
    await room.settle();
    expect(await room.members(visitors)).to.deep.equal([ada]);
  });

  it('enters once, however much happens in the minute', async () => {
    const news = (await room.client.post<any>('/v1/lists', { name: 'News' }, { expect: 201 })).body;
    const ofList = await room.create({ list: news.id });
    const any = await room.create({ profile: { time: 'last_event_at', window: { last: '30d' } } });
    room.pass(60_001);
    await room.settle();
    for (let n = 0; n < 120; n += 1) await room.send(`type_${n}`, 'ada@example.com');
    await room.client.post(`/v1/lists/${news.id}/members`, { members: [{ profile_id: ada }] }, { expect: 200 });
    await room.send('ordered', 'ada@example.com');
    await room.settle();
    room.pass(60_001);
    await room.settle();
    expect(await room.changes(ofList.id)).to.deep.equal([[ada, 'entered', 'list']]);
    expect(await room.members(id)).to.deep.equal([ada]);
    expect((await room.changes(id)).length).to.equal(1);
    expect(await room.members(any.id)).to.deep.equal([ada]);
  });
});
