import { expect } from 'chai';
import { assignAllPositions } from '../../src/domain/feed/positions.ts';
import { compareSome } from '../../src/domain/segments/comparison/compare.ts';
import { readChanges } from '../../src/domain/segments/engine/read-changes.ts';
import { takeDue } from '../../src/domain/segments/engine/take-due.ts';
import { disturbed } from './support/disturbed.ts';
import { SegmentRoom } from './support/room.ts';

const DAY = 24 * 60 * 60 * 1000;
const ORDERED = { event: { type: 'ordered' } };
/** As long as definitions may well be: those of a dozen stores are not kept all at once. */
const LONG = { any: [ORDERED, { attribute: { name: 'tier', op: 'in', value: ['x'.repeat(2_000)] } }] };

describe('Definitions that are kept parsed', () => {
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

  const addSegments = (storeId: string, count: number) =>
    query(`
      insert into segment (store_id, id, name, definition, revision, generation, last_generation, served_definition,
        members, list_ids, segment_ids, created_at, updated_at)
      select '${storeId}', uuidv7(), 'Test', definition, 1, 1, 1, definition, 0, '{}', '{}', now(), now()
      from generate_series(1, ${count}), (select '${JSON.stringify(LONG)}'::json as definition) as d`);

  /** Another store, which has 200 segments and has somebody looked at for them. */
  async function addStore(): Promise<string> {
    const storeId = await room.service.newStore();
    await query(`insert into segment_store (store_id) values ('${storeId}')`);
    await addSegments(storeId, 200);
    return storeId;
  }

  async function look(storeId: string): Promise<void> {
    await query(`insert into segment_due (store_id, profile_id, due_at) values ('${storeId}', uuidv7(), '2026-01-01')`);
    await takeDue(room.db, storeId, room.tools);
  }

  it('of one store are not lost where others are read meanwhile', async () => {
    await room.create(ORDERED);
    await room.settle();
    await addSegments(room.storeId, 99);
    const ada = await room.send('visited', 'ada@example.com');
    await room.readAll();
    for (let n = 0; n < 9; n += 1) await look(await addStore());
    const other = await addStore();
    await addSegments(room.storeId, 1);
    await room.send('ordered', 'ada@example.com');
    await assignAllPositions(room.db, room.storeId);
    // While the definition of the new one is on its way.
    const db = disturbed(room.db, async (text) => {
      if (text.includes('served_definition as definition')) await look(other);
    });
    await readChanges(db, room.storeId, room.tools);
    const rows = await query(`select profile_id as id from segment_member where store_id = '${room.storeId}'`);
    expect(rows).to.deep.equal(Array.from({ length: 101 }, () => ({ id: ada })));
  });

  it('are those that were committed: of a night that failed nothing is left', async () => {
    const ada = await room.send('ordered', 'ada@example.com');
    const grace = await room.send('visited', 'grace@example.com');
    const { id } = await room.create(ORDERED);
    await room.create({ identifier: 'email' });
    await room.settle();
    expect(await room.members(id)).to.deep.equal([ada]);
    await query(`update segment set failure = 'It takes too long', stale_since = now() where id = '${id}'`);
    let calls = 0;
    const now = () => {
      calls += 1;
      if (calls > 1) throw new Error('interrupted');
      return room.now + DAY;
    };
    const night = compareSome(room.db, room.storeId, { ...room.tools, now });
    expect(
      await night.then(
        () => 'done',
        (error) => error.message,
      ),
    ).to.equal('interrupted');
    await room.update(id, { revision: 1, name: 'Visitors', definition: { event: { type: 'visited' } } });
    await room.settle();
    expect(await room.members(id)).to.deep.equal([grace]);
    await room.send('visited', 'ada@example.com');
    await room.settle();
    expect(await room.members(id)).to.deep.equal([ada, grace].sort());
  });

  it('stop the reader where one is missing, and nothing is lost', async () => {
    const { id } = await room.create(ORDERED);
    await room.settle();
    const [{ served }] = await query(`select served_definition as served from segment where id = '${id}'`);
    await query(`update segment set served_definition = null, generation = 2 where id = '${id}'`);
    const ada = await room.send('ordered', 'ada@example.com');
    const reading = room.readAll();
    expect(
      await reading.then(
        () => 'read',
        (error) => error.message,
      ),
    ).to.include('missing');
    await query(`
      update segment set served_definition = '${JSON.stringify(served)}', generation = 1 where id = '${id}'`);
    await room.settle();
    expect(await room.members(id)).to.deep.equal([ada]);
  });
});
