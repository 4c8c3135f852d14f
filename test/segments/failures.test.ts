import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { assignAllPositions } from '../../src/domain/feed/positions.ts';
import { deleteOldChanges } from '../../src/domain/segments/delete-old.ts';
import { buildRange } from '../../src/domain/segments/engine/build.ts';
import { ensurePlace } from '../../src/domain/segments/engine/read-changes.ts';
import { SegmentRoom } from './support/room.ts';

const CONTAINS_X = {
  event: { type: 'ordered', where: [{ property: 'value', op: 'contains', value: 'x' }] },
};

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
    const { id: spoilt } = await room.create(CONTAINS_X);
    const { id: naming } = await room.create({ not: { segment: spoilt } });
    const { id: sound } = await room.create({ event: { type: 'ordered' } });
    await room.settle();
    const ada = await room.send('ordered', 'ada@example.com', { value: 'x' });
    const grace = await room.send('ordered', 'grace@example.com', { value: 'x' });
    await spoil(ada);
    await room.settle();
    expect(await room.members(sound)).to.deep.equal([ada, grace].sort());
    const failed = await room.get(`/v1/segments/${spoilt}`);
    expect(failed.status).to.equal('failed');
    expect(failed.failure).to.include(ada);
    const dependent = await room.get(`/v1/segments/${naming}`);
    expect([dependent.status, dependent.failure.includes(spoilt)]).to.deep.equal(['failed', true]);
    const later = await room.send('ordered', 'later@example.com', { value: 'x' });
    await room.settle();
    expect(await room.members(sound)).to.include(later);
    expect(await room.get(`/v1/segments/${spoilt}`)).to.include({ computed_through: failed.computed_through });

    await query(`update event set properties = '{}' where store_id = '${room.storeId}' and profile_id = '${ada}'`);
    await room.client.post(`/v1/segments/${spoilt}/rebuild`, undefined, { expect: 202 });
    await room.settle();
    expect(await room.members(spoilt)).to.deep.equal([grace, later].sort());
    expect(await room.members(naming)).to.deep.equal([ada]);
    for (const id of [spoilt, naming]) expect((await room.get(`/v1/segments/${id}`)).status).to.equal('live');
  });

  it('leaves the order of the changes of others as it was', async () => {
    await room.create(CONTAINS_X);
    await room.create({ event: { type: 'ordered' } });
    await room.settle();
    await spoil(await room.send('ordered', 'ada@example.com', { value: 'x' }));
    await room.settle();
    // What another transaction has written seems to come from another node, and then comes first.
    const others = await query(`
      select kind, xmin <> xid::xid as "isOther" from addition
      where store_id = '${room.storeId}' and kind = 'segment_change' and position is null`);
    expect(others).to.deep.equal([{ kind: 'segment_change', isOther: false }]);
  });

  it('those that failed with another recover with it, although nobody entered or left it', async () => {
    const ada = await room.send('ordered', 'ada@example.com', { value: 'x' });
    const { id: spoilt } = await room.create(CONTAINS_X);
    const { id: naming } = await room.create({ segment: spoilt });
    const { id: last } = await room.create({ not: { segment: naming } });
    await room.settle();
    await spoil(ada);
    await room.send('ordered', 'ada@example.com', { value: 'x' });
    await room.settle();
    for (const id of [spoilt, naming, last]) expect((await room.get(`/v1/segments/${id}`)).status).to.equal('failed');
    await query(`update event set properties = '{"value": "x"}' where store_id = '${room.storeId}'`);
    await room.client.post(`/v1/segments/${spoilt}/rebuild`, undefined, { expect: 202 });
    await room.settle();
    for (const id of [spoilt, naming, last]) expect((await room.get(`/v1/segments/${id}`)).status).to.equal('live');
    expect(await room.members(naming)).to.deep.equal([ada]);
  });

  it('one that names a segment that has failed fails, whenever it is created or built', async () => {
    const { id: spoilt } = await room.create(CONTAINS_X);
    await room.settle();
    await spoil(await room.send('ordered', 'ada@example.com', { value: 'x' }));
    await room.settle();
    const { id: naming } = await room.create({ segment: spoilt });
    await room.settle();
    const failed = await room.get(`/v1/segments/${naming}`);
    expect([failed.status, failed.failure, failed.computed_through]).to.deep.equal([
      'failed',
      `It names a segment that has failed: ${spoilt}`,
      null,
    ]);
  });

  it('one that has failed claims nothing that happened while it was still unread', async () => {
    const { id } = await room.create(CONTAINS_X);
    await room.settle();
    const ada = await room.send('ordered', 'ada@example.com', { value: 'x' });
    const unread = (await room.get(`/v1/segments/${id}`)).computed_through;
    await sleep(20);
    await spoil(ada);
    await room.settle();
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'failed', computed_through: unread });
  });

  it('one that failed as time passed claims nothing of the time since', async () => {
    const { id } = await room.create({
      event: {
        type: 'ordered',
        where: [{ property: 'value', op: 'contains', value: 'x' }],
        window: { ago: { min: '1s', max: '1d' } },
      },
    });
    const ada = await room.send('ordered', 'ada@example.com', { value: 'x' });
    await room.settle();
    await spoil(ada);
    await sleep(1_100);
    const due = (await room.get(`/v1/segments/${id}`)).computed_through;
    await room.settle();
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'failed', computed_through: due });
  });

  it('one that names a segment which is out of date claims no more than that', async () => {
    const { id: named } = await room.create({ event: { type: 'ordered' } });
    const { id: naming } = await room.create({ not: { segment: named } });
    const { id: last } = await room.create({ any: [{ segment: naming }, { identifier: 'phone' }] });
    await room.settle();
    await query(`update segment set stale_since = '2026-01-01' where id = '${named}'`);
    for (const id of [named, naming, last]) {
      expect((await room.get(`/v1/segments/${id}`)).computed_through, id).to.equal('2026-01-01T00:00:00.000Z');
    }
  });

  it('of those that are built together, one that fails does not hold up the others', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) ids.push(await room.send('ordered', `c${n}@example.com`, { value: 'x' }));
    await spoil(ids[4] as string);
    const { id: sound } = await room.create({ event: { type: 'ordered' } });
    const { id: spoilt } = await room.create(CONTAINS_X);
    const { id: naming } = await room.create({ not: { segment: spoilt } });
    const { id: other } = await room.create({ not: { event: { type: 'ordered' } } });
    for (let n = 0; n < 2; n += 1) await buildRange(room.db, room.storeId, room.tools, 2);
    // One more, which begins when these are done.
    const { id: later } = await room.create({ segment: sound });
    await room.settle();
    const states = await Promise.all(
      [sound, spoilt, naming, other, later].map(async (id) => (await room.get(`/v1/segments/${id}`)).status),
    );
    expect(states).to.deep.equal(['live', 'failed', 'failed', 'live', 'live']);
    expect(await room.members(sound)).to.deep.equal([...ids].sort());
    expect(await room.members(other)).to.deep.equal([]);
    expect(await room.members(later)).to.deep.equal([...ids].sort());
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
    await ensurePlace(room.db, room.storeId, room.tools);
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'building', computed_through: null });
    const { SegmentTurns } = await import('../../src/domain/segments/engine/turn.ts');
    while (await new SegmentTurns(room.tools).take(room.db, room.storeId));
    expect(await room.members(id)).to.deep.equal([ada]);
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'live', member_count: 1 });
  });

  it('changes that were deleted before they were read have all built anew, and until then nothing is claimed', async () => {
    const { id } = await room.create({ event: { type: 'ordered' } });
    await room.settle();
    const ada = await room.send('ordered', 'ada@example.com');
    await assignAllPositions(room.db, room.storeId);
    await query(`delete from addition where store_id = '${room.storeId}'`);
    expect((await room.get(`/v1/segments/${id}`)).computed_through).to.equal(null);
    await room.readAll();
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'building', computed_through: null });
    await room.settle();
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'live', member_count: 1, lag_seconds: 0 });
    expect(await room.members(id)).to.deep.equal([ada]);
  });

  it('of builds only those are kept whose changes are still known, and the one that serves', async () => {
    const ada = await room.send('ordered', 'ada@example.com');
    const { id } = await room.create({ event: { type: 'ordered' } });
    await room.settle();
    for (let n = 0; n < 3; n += 1) {
      await room.client.post(`/v1/segments/${id}/rebuild`, undefined, { expect: 202 });
      await room.settle();
    }
    const kept = async () => {
      await deleteOldChanges(room.db, Number.POSITIVE_INFINITY);
      return query(`select generation from segment_build where segment_id = '${id}' order by generation`);
    };
    expect(await kept()).to.deep.equal([{ generation: 1 }, { generation: 4 }]);
    expect(await room.changes(id)).to.deep.equal([[ada, 'entered', 'definition']]);
    await query(`update segment_change set id = '00000000-0000-7000-8000-000000000001' where segment_id = '${id}'`);
    expect(await kept()).to.deep.equal([{ generation: 4 }]);
    expect(await room.members(id)).to.deep.equal([ada]);
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
