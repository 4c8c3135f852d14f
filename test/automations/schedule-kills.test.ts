import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ServiceProcess, until } from '../support/process.ts';
import { EngineRoom } from './support/engine-room.ts';

const [MEMBERS, ROUNDS] = [3_000, 4];

describe('While a schedule starts the members of a list', () => {
  let room: EngineRoom;

  before(async () => {
    room = await EngineRoom.open();
  });
  after(() => room.close());

  const startWorker = () =>
    new ServiceProcess({ DATABASE_URL: room.service.database.url, WORKER_CONCURRENCY: '0', LOG_LEVEL: 'silent' });
  const query = <Row>(text: string) => room.service.database.query<Row>(text.replaceAll('$store', `'${room.storeId}'`));

  it('any of several processes may be killed at any moment, and each member starts once on each day', async () => {
    const { id: list } = (await room.client.post('/v1/lists', { name: 'All' }, { expect: 201 })).body;
    for (let from = 0; from < MEMBERS; from += 500) {
      const events = Array.from({ length: 500 }, (_, n) => ({
        event_type: 'came',
        profile: { external_id: `c${from + n}` },
      }));
      await room.client.post('/v1/events/bulk', { events }, { expect: 201 });
    }
    await query(`insert into list_member (store_id, list_id, profile_id, joined_at, how)
      select store_id, '${list}', id, now(), 'api' from profile where store_id = $store`);
    const id = await room.publish({
      trigger: { type: 'schedule', list, repeat: 'daily', at: '00:00' },
      reentry: { mode: 'every_time', per: 'profile' },
      steps: [{ id: 'first', type: 'exit' }],
    });
    const makeDue = () =>
      query(`update automation_occurrence set due_at = now() - interval '1 second'
        where store_id = $store and status = 'planned'`);
    const done = async () =>
      (
        await query<{ n: number }>(`select count(*)::int as n from automation_occurrence
          where store_id = $store and status = 'done'`)
      )[0]?.n as number;
    let workers = [startWorker(), startWorker()];
    for (let round = 1; round <= ROUNDS; round += 1) {
      await makeDue();
      await sleep(200 + Math.random() * 500);
      const [killed, other] = workers as [ServiceProcess, ServiceProcess];
      killed.signal('SIGKILL');
      await killed.ended;
      workers = [other, startWorker()];
      await until(async () => (await done()) === round, 'the day is done');
    }
    await Promise.all(workers.map((worker) => worker.stop()));
    const days = await query<{ day: string; n: number; customers: number }>(`
      select split_part(trigger_id, ':', 3) as day, count(*)::int as n, count(distinct profile_id)::int as customers
      from automation_run where store_id = $store and automation_id = '${id}' group by 1 order by 1`);
    expect(days.map(({ n, customers }) => [n, customers])).to.deep.equal(
      Array.from({ length: ROUNDS }, () => [MEMBERS, MEMBERS]),
    );
    const counted = await query<{ members: number }>(`
      select members from automation_occurrence where store_id = $store and status = 'done'`);
    expect(counted.map(({ members }) => members)).to.deep.equal(days.map(() => MEMBERS));
  });
});
