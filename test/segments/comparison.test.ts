import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { openDatabase } from '../../src/db/orm.ts';
import { compareSome } from '../../src/domain/segments/comparison/compare.ts';
import { findUncompared } from '../../src/domain/segments/comparison/progress.ts';
import { createLog } from '../../src/process/log.ts';
import { SegmentEngine } from '../../src/work/segments.ts';
import { until } from '../support/process.ts';
import { SegmentRoom } from './support/room.ts';

const DAY = 24 * 60 * 60 * 1000;
const ORDERED = { event: { type: 'ordered' } };

describe('The comparison of a night', () => {
  let hall: SegmentRoom;
  let room: SegmentRoom;

  before(async () => {
    hall = await SegmentRoom.open();
  });
  after(() => hall.close());
  beforeEach(async () => {
    room = await hall.newStore();
  });

  const query = (text: string) => room.service.database.query<any>(text.replaceAll('$store', `'${room.storeId}'`));
  const compare = () => compareSome(room.db, room.storeId, room.tools);
  /** As nothing of the service does it. */
  const remove = (segmentId: string, profileId: string) =>
    query(`with removed as (
        delete from segment_member
        where store_id = $store and segment_id = '${segmentId}' and profile_id = '${profileId}'
      ) update segment set members = members - 1 where store_id = $store and id = '${segmentId}'`);

  /** Compares all of a night, and returns how many memberships were wrong. */
  async function night(): Promise<number> {
    room.pass(DAY);
    await room.settle();
    for (let sum = 0; ; ) {
      const { isMore, drift } = await compare();
      sum += drift;
      if (!isMore) return sum;
    }
  }

  it('repairs who is missing and who is too many, and those of segments that name it, as changes', async () => {
    const ada = await room.send('ordered', 'ada@example.com');
    const grace = await room.send('visited', 'grace@example.com');
    const { id } = await room.create(ORDERED);
    const { id: others } = await room.create({ not: { segment: id } });
    await room.settle();
    expect(await night()).to.equal(0);
    await remove(id, ada);
    await remove(others, grace);
    expect(await night()).to.equal(2);
    expect([await room.members(id), await room.members(others)]).to.deep.equal([[ada], [grace]]);
    expect((await room.changes(id)).at(-1)).to.deep.equal([ada, 'entered', 'definition']);
    expect(await room.get(`/v1/segments/${id}`)).to.include({ member_count: 1 });
    expect(await night()).to.equal(0);
  });

  it('has those built anew that have failed, and those that failed with them', async () => {
    const ada = await room.send('ordered', 'ada@example.com');
    const { id } = await room.create(ORDERED);
    const { id: others } = await room.create({ not: { segment: id } });
    await room.settle();
    await query(`update segment set failure = 'It takes too long', stale_since = now() where store_id = $store`);
    const grace = await room.send('ordered', 'grace@example.com');
    await room.settle();
    expect(await room.members(id)).to.deep.equal([ada]);
    expect(await night()).to.equal(0);
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'building', failure: null });
    await room.settle();
    expect(await room.members(id)).to.deep.equal([ada, grace].sort());
    expect(await room.members(others)).to.deep.equal([]);
    for (const one of [id, others]) expect((await room.get(`/v1/segments/${one}`)).status).to.equal('live');
  });

  it('goes around, some customers each night, and once at most', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push(await room.send('ordered', `c${n}@example.com`));
    const { id } = await room.create(ORDERED);
    await room.settle();
    const begin = (left: number) => query(`update segment_store set compare_left = ${left} where store_id = $store`);
    expect(await night()).to.equal(0);
    // Two nights of three customers each see all five.
    for (const one of ids) await remove(id, one);
    await begin(3);
    expect((await compare()).drift).to.equal(3);
    await query(`update segment_store set compare_first = compare_after where store_id = $store`);
    await begin(3);
    expect((await compare()).drift).to.equal(2);
    expect((await compare()).isMore).to.equal(false);
    expect(await room.members(id)).to.deep.equal(ids.sort());
  });

  it('leaves the next night whole where one goes on beyond its beginning', async () => {
    await room.send('ordered', 'ada@example.com');
    const { id } = await room.create(ORDERED);
    await room.settle();
    const begins = new Date(room.now + DAY).setUTCHours(2, 0, 0, 0);
    await query(`update segment_store set compare_left = 300, compared_on = '${new Date(begins - DAY).toISOString()}'
      where store_id = $store`);
    await query(`update segment set failure = 'It takes too long', stale_since = now() where store_id = $store`);
    let now = begins - 1;
    await compareSome(room.db, room.storeId, { ...room.tools, now: () => now++ });
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'failed' });
    await compareSome(room.db, room.storeId, { ...room.tools, now: () => now });
    expect(await room.get(`/v1/segments/${id}`)).to.include({ status: 'building' });
  });

  it('takes for wrong neither what is still to be followed nor what is due', async () => {
    const soon = new Date(room.now - 30 * DAY + 60_000).toISOString();
    const ada = await room.send('ordered', 'ada@example.com', {}, { occurred_at: soon });
    const { id } = await room.create({ event: { type: 'ordered', window: { last: '30d' } } });
    await room.settle();
    room.pass(DAY);
    const grace = await room.send('ordered', 'grace@example.com');
    expect(await compare()).to.deep.equal({ isMore: false, drift: 0 });
    expect(await room.members(id)).to.deep.equal([ada]);
    await room.settle();
    expect(await room.members(id)).to.deep.equal([grace]);
  });

  it('leaves out who has more events than can be compared, and goes on with the others', async () => {
    const ada = await room.send('ordered', 'ada@example.com');
    const grace = await room.send('ordered', 'grace@example.com');
    const { id } = await room.create(ORDERED);
    await room.settle();
    await query(`insert into event (store_id, id, profile_id, event_type, properties, occurred_at, received_at)
      select $store, uuidv7(), '${ada}', 'visited', '{}', now(), now() from generate_series(1, 10001)`);
    await remove(id, ada);
    await remove(id, grace);
    expect(await night()).to.equal(1);
    expect(await room.members(id)).to.deep.equal([grace]);
  });

  it('has members stay as they are where the two evaluators differ, and says so', async () => {
    const lines: object[] = [];
    const log = createLog('silent');
    log.error = ((what: object) => lines.push(what)) as typeof log.error;
    const ada = await room.send('ordered', 'ada@example.com', { value: 1 });
    const { id } = await room.create({
      event: { type: 'ordered', where: [{ property: 'value', op: 'eq', value: 1 }] },
    });
    await room.settle();
    // Not the same number, but for JavaScript.
    await query(`update event set properties = '{"value": 1.00000000000000000001}'
      where store_id = $store and profile_id = '${ada}'`);
    await remove(id, ada);
    room.pass(DAY);
    await room.settle();
    const { drift } = await compareSome(room.db, room.storeId, { ...room.tools, log });
    expect(drift).to.equal(1);
    expect(lines).to.have.length(1);
    const profile_sha256 = createHash('sha256').update(ada).digest('hex');
    expect(lines[0]).to.include({ segment_id: id, profile_sha256, should_be_member: true });
    expect(JSON.stringify(lines)).not.to.include(ada);
    expect(await room.members(id)).to.deep.equal([]);
  });

  it('is made by a process, in a thread, which says how many were wrong, while another server hangs', async () => {
    const occurred_at = new Date(Date.now() - DAY).toISOString();
    const ada = await room.send('ordered', 'ada@example.com', {}, { occurred_at });
    const { id } = await room.create(ORDERED);
    await room.settle();
    await remove(id, ada);
    await query(`update segment_store set compared_on = '2020-01-01' where store_id = $store`);
    let drift = 0;
    const { address } = room.service.database;
    const database = await openDatabase(address, 1);
    const { promise: hanging, resolve: goOn } = Promise.withResolvers<void>();
    const servers = async () => [{ name: 'hanging', each: () => hanging }, ...(await database.stores.servers())];
    const engine = new SegmentEngine({
      setup: { address, concurrency: 1 },
      stores: { servers },
      log: createLog('silent'),
      onWork: (work) => {
        drift += work.drift;
      },
    });
    try {
      for (let round = 0; round < 2; round += 1) {
        await engine.compare();
        const isDone = async () => drift > 0 && !(await findUncompared(room.db)).includes(room.storeId);
        await until(isDone, 'all of the night is compared');
      }
    } finally {
      goOn();
      await engine.stop();
      await database.close();
    }
    expect([drift, await room.members(id)]).to.deep.equal([1, [ada]]);
  });

  it('does again what a process had not ended when it was killed, and then nothing more that night', async () => {
    const ada = await room.send('ordered', 'ada@example.com');
    const { id } = await room.create(ORDERED);
    await room.settle();
    await remove(id, ada);
    room.pass(60_000);
    await room.settle();
    await query(`update segment_store set compared_on = '2020-01-01' where store_id = $store`);
    expect(await findUncompared(room.db)).to.include(room.storeId);
    // What ends a process after the repair, before it has written how far it has come.
    const log = createLog('silent');
    log.error = () => {
      throw new Error('killed');
    };
    const killed = compareSome(room.db, room.storeId, { ...room.tools, log });
    expect(
      await killed.then(
        () => 'done',
        (error) => error.message,
      ),
    ).to.equal('killed');
    expect(await findUncompared(room.db)).to.include(room.storeId);
    while ((await compare()).isMore);
    expect(await room.members(id)).to.deep.equal([ada]);
    expect(await findUncompared(room.db)).not.to.include(room.storeId);
  });
});
