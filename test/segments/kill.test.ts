import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type FormerCondition, inTodaysForm } from '../../src/domain/conditions/former.ts';
import { isMember } from '../../src/domain/segments/core/naive.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { readKnown } from './support/known.ts';
import { SegmentRoom } from './support/room.ts';

const CUSTOMERS = 3_000;
const DEFINITIONS = [
  { event: { type: 'ordered', op: 'gte', value: 2 } },
  { all: [{ event: { type: 'visited' } }, { not: { event: { type: 'ordered', window: { last: '2s' } } } }] },
] as const;

describe('While members are worked out', () => {
  let hall: SegmentRoom;
  let room: SegmentRoom;

  before(async () => {
    hall = await SegmentRoom.open();
  });
  beforeEach(async () => {
    room = await hall.newStore();
    for (let from = 0; from < CUSTOMERS; from += 1_000) await send(from, 'visited');
  });
  after(() => hall.close());

  const startWorker = (env: NodeJS.ProcessEnv = {}) =>
    new ServiceProcess({
      ...{ DATABASE_URL: room.service.database.url, WORKER_CONCURRENCY: '0', LOG_LEVEL: 'silent' },
      ...env,
    });

  /** What is different once somebody has worked on the segments. */
  const progress = async () =>
    JSON.stringify(
      await room.service.database.query(`
        select (select sum(profiles) from segment_build where store_id = '${room.storeId}') as built,
          (select entry from feed_reader where store_id = '${room.storeId}') as read`),
    );

  async function send(from: number, event_type: string, count = 1_000): Promise<void> {
    const events = Array.from({ length: count }, (_, n) => ({ event_type, profile: { external_id: `c${from + n}` } }));
    await room.client.post('/v1/events/bulk', { events }, { expect: 201 });
  }

  /** All is done, and the members, their number and the changes agree with the events. */
  async function expectExact(ids: readonly string[]): Promise<void> {
    await until(async () => {
      const all = await Promise.all(ids.map((id) => room.get(`/v1/segments/${id}`)));
      return all.every(({ status, lag_seconds }) => status === 'live' && lag_seconds < 2);
    }, 'all are live');
    // Until time changes nothing any more.
    await sleep(2_500);
    const query = (text: string) => room.service.database.query<any>(text);
    const known = await readKnown(room);
    for (const [i, id] of ids.entries()) {
      const expected = [...known]
        .filter(([, one]) => isMember(inTodaysForm(DEFINITIONS[i] as FormerCondition), one, Date.now()))
        .map(([one]) => one);
      const actual = await query(`select profile_id as id from segment_member m join segment s
        on s.store_id = m.store_id and s.id = segment_id and s.generation = m.generation where segment_id = '${id}'`);
      expect(actual.map((row: any) => row.id).sort()).to.deep.equal(expected.sort());
      expect((await room.get(`/v1/segments/${id}`)).member_count).to.equal(expected.length);
      // Each names the store, without which a cluster can not plan it.
      const of = (alias: string) => `${alias}.store_id = '${room.storeId}' and ${alias}.segment_id = '${id}'`;
      const wrong = await query(`
        with inside as (
          select c.profile_id, sum(case c.kind when 'entered' then 1 else -1 end) as times
          from segment_change c
          where ${of('c')} and exists (
            select from segment_build b where ${of('b')} and b.generation = c.generation and b.finished_at is not null)
          group by 1
        )
        select profile_id, times from inside i
        where times <> (
          select count(*) from segment_member m
          join segment s on s.store_id = '${room.storeId}' and s.id = '${id}' and s.generation = m.generation
          where ${of('m')} and m.profile_id = i.profile_id)
        limit 5`);
      expect(wrong).to.deep.equal([]);
    }
  }

  it('any process may be killed at any moment, and another goes on where it was', async () => {
    const ids: string[] = [];
    for (const definition of DEFINITIONS) ids.push((await room.create(definition)).id);
    for (let round = 0; round < 4; round += 1) {
      const killed = startWorker();
      const before = await progress();
      await send(round * 500, 'ordered', 700);
      await until(async () => (await progress()) !== before, 'it works');
      await sleep(Math.random() * 300);
      killed.signal('SIGKILL');
      await killed.ended;
    }
    const last = startWorker();
    await expectExact(ids);
    await last.stop();
  });

  it('one that was frozen does nothing twice when it goes on', async () => {
    const frozen = startWorker();
    const ids: string[] = [];
    for (const definition of DEFINITIONS) ids.push((await room.create(definition)).id);
    const before = await progress();
    await until(async () => (await progress()) !== before, 'it works');
    frozen.signal('SIGSTOP');
    const other = startWorker();
    await send(0, 'ordered', 700);
    await send(200, 'ordered', 700);
    await sleep(3_000);
    frozen.signal('SIGCONT');
    await expectExact(ids);
    await Promise.all([frozen.stop(), other.stop()]);
  });

  it('a process whose clock is ahead moves nobody early', async () => {
    const { id } = await room.create({ event: { type: 'ordered', window: { last: '5m' } } });
    await send(0, 'ordered', 1);
    const ahead = startWorker({
      NODE_OPTIONS: '--import "data:text/javascript,const now=Date.now;Date.now=()=>now()+600_000"',
    });
    await until(async () => (await room.get(`/v1/segments/${id}`)).status === 'live', 'it is live');
    expect(await room.get(`/v1/segments/${id}`)).to.include({ member_count: 1 });
    await ahead.stop();
  });

  it('two processes share the work, and neither does it twice', async () => {
    const workers = [startWorker(), startWorker()];
    const ids: string[] = [];
    for (const definition of DEFINITIONS) ids.push((await room.create(definition)).id);
    for (let round = 0; round < 5; round += 1) await send(round * 300, 'ordered', 600);
    await expectExact(ids);
    await Promise.all(workers.map((worker) => worker.stop()));
  });
});
