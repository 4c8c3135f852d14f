import { expect } from 'chai';
import { findWork } from '../../src/domain/segments/engine/find-work.ts';
import { Pace, rest } from '../../src/domain/segments/engine/pace.ts';
import { SegmentTurns } from '../../src/domain/segments/engine/turn.ts';
import { SegmentRoom } from './support/room.ts';

describe('The pace of segments', () => {
  let hall: SegmentRoom;
  let room: SegmentRoom;

  before(async () => {
    hall = await SegmentRoom.open();
  });
  after(() => hall.close());
  beforeEach(async () => {
    room = await hall.newStore();
    await room.create({ event: { type: 'ordered' } });
    await room.settle();
  });

  const query = (text: string) => room.service.database.query(text);
  const sendMany = async () => {
    const events = Array.from({ length: 500 }, (_, n) => ({
      event_type: 'ordered',
      profile: { email: `customer${n}@example.com` },
    }));
    await room.client.post('/v1/events/bulk', { events }, { expect: 201 });
  };
  /** Milliseconds of rest after a turn of one second, where so many changes a second were followed. */
  const restAfter = async (followed: number, lag: number) => {
    const pace = new Pace();
    pace.note({ progress: 'more', items: followed, lag, behind: 1_000 }, 1);
    return await pace.restAfter(1_000, room.db, room.storeId);
  };

  it('leaves most of the time to recording while more is recorded than is followed', async () => {
    await sendMany();
    expect(await restAfter(1, 10)).to.be.greaterThan(3_000);
    expect(await restAfter(1, 1), 'not far behind').to.equal(0);
    expect(await restAfter(1_000_000, 10), 'catches up').to.equal(0);
    await query(`update addition set added_at = now() - interval '1 hour' where store_id = '${room.storeId}'`);
    expect(await restAfter(10, 10), 'nothing is recorded any more').to.equal(0);
  });

  it('is kept by all processes', async () => {
    await sendMany();
    await rest(room.db, room.storeId, 60_000);
    expect(await findWork(room.db)).not.to.include(room.storeId);
    expect(await new SegmentTurns(room.tools).take(room.db, room.storeId)).to.equal(false);
    await query(`update segment_store set rest_until = now() where store_id = '${room.storeId}'`);
    expect(await findWork(room.db)).to.include(room.storeId);
    await new SegmentTurns(room.tools).take(room.db, room.storeId);
    const { segments } = await room.get('/v1/segments');
    expect(segments[0].member_count).to.equal(500);
  });
});
