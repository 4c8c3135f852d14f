import { expect } from 'chai';
import { buildRange } from '../../src/domain/segments/engine/build.ts';
import { SegmentRoom } from './support/room.ts';

describe('What goes wrong with one segment', () => {
  let hall: SegmentRoom;
  let room: SegmentRoom;

  before(async () => {
    hall = await SegmentRoom.open();
  });
  after(() => hall.close());
  beforeEach(async () => {
    room = await hall.newStore();
  });

  const query = (text: string) => room.service.database.query<any>(text);

  /** A value that no request can leave there, and that Postgres can't read as a number. */
  const spoil = (profileId: string) =>
    query(`update event set properties = '{"value": 1e999999}'
      where store_id = '${room.storeId}' and profile_id = '${profileId}'`);

  it('a customer for whom it can not be evaluated makes it fail, with those that name it; others go on', async () => {
    const { id: spoilt } = await room.create({
      event: { type: 'ordered', where: [{ property: 'value', op: 'contains', value: 'x' }] },
    });
    const { id: naming } = await room.create({ not: { segment: spoilt } });
    const { id: sound } = await room.create({ event: { type: 'ordered' } });
    await room.settle();
    const ada = await room.send('ordered', 'ada@example.com', { value: 'x' });
    const grace = await room.send('ordered', 'grace@example.com', { value: 'x' });
    await spoil(ada);
    await room.settle();
    expect(await room.members(sound)).to.deep.equal([ada, grace].sort());
    const failed = await room.get(`/v1/segments/${spoilt}`);
    expect(failed.state).to.equal('failed');
    expect(failed.failure).to.include(ada);
    const dependent = await room.get(`/v1/segments/${naming}`);
    expect([dependent.state, dependent.failure.includes(spoilt)]).to.deep.equal(['failed', true]);
    const later = await room.send('ordered', 'later@example.com', { value: 'x' });
    await room.settle();
    expect(await room.members(sound)).to.include(later);
    expect(await room.get(`/v1/segments/${spoilt}`)).to.include({ computed_through: failed.computed_through });

    await query(`update event set properties = '{}' where store_id = '${room.storeId}' and profile_id = '${ada}'`);
    await room.client.post(`/v1/segments/${spoilt}/rebuild`, undefined, { expect: 202 });
    await room.settle();
    expect(await room.members(spoilt)).to.deep.equal([grace, later].sort());
    expect(await room.members(naming)).to.deep.equal([ada]);
    for (const id of [spoilt, naming]) expect((await room.get(`/v1/segments/${id}`)).state).to.equal('live');
  });

  it('a change or a deletion while it is being built leaves nothing of the build', async () => {
    for (let n = 0; n < 7; n += 1) await room.send(n % 2 ? 'ordered' : 'visited', `c${n}@example.com`);
    const { id } = await room.create({ event: { type: 'ordered' } });
    const { id: deleted } = await room.create({ event: { type: 'visited' } });
    for (let n = 0; n < 3; n += 1) await buildRange(room.db, room.storeId, room.tools, 2);
    await room.update(id, { revision: 1, name: 'New', definition: { event: { type: 'visited' } } });
    await room.client.send('DELETE', `/v1/segments/${deleted}`, undefined, { expect: 200 });
    await room.settle();
    expect(await room.members(id)).to.have.length(4);
    const changes = await room.changes(id);
    expect(changes.map(([, kind]) => kind)).to.deep.equal(Array(4).fill('entered'));
    for (const table of ['segment_member', 'segment_change', 'segment_build', 'segment_day']) {
      expect(await query(`select from ${table} where segment_id = '${deleted}'`), table).to.deep.equal([]);
    }
    expect(await query(`select count(*)::int as n from segment_member where segment_id = '${id}'`)).to.deep.equal([
      { n: 4 },
    ]);
    expect(await query(`select from segment_leftover where store_id = '${room.storeId}'`)).to.deep.equal([]);
  });

  it('a lost place in the feed has all built anew, and until then nothing is claimed', async () => {
    const { id } = await room.create({ event: { type: 'ordered' } });
    await room.settle();
    await query(`delete from feed_reader where store_id = '${room.storeId}'`);
    const ada = await room.send('ordered', 'ada@example.com');
    expect(await room.get(`/v1/segments/${id}`)).to.include({ computed_through: null, lag_seconds: null });
    const { SegmentTurns } = await import('../../src/domain/segments/engine/turn.ts');
    while (await new SegmentTurns(room.tools).take(room.db, room.storeId));
    expect(await room.members(id)).to.deep.equal([ada]);
    expect(await room.get(`/v1/segments/${id}`)).to.include({ state: 'live', members: 1 });
  });

  it('a store without segments has nothing to read', async () => {
    const { id } = await room.create({ event: { type: 'ordered' } });
    await room.settle();
    await room.client.send('DELETE', `/v1/segments/${id}`, undefined, { expect: 200 });
    await room.send('ordered', 'ada@example.com');
    await room.settle();
    expect(await query(`select from feed_reader where store_id = '${room.storeId}'`)).to.deep.equal([]);
  });
});
