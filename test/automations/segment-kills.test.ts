import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ServiceProcess, until } from '../support/process.ts';
import { EngineRoom } from './support/engine-room.ts';

const [MEMBERS, OTHERS, ROUNDS] = [1_500, 1_500, 5];
const CURRENT = { all: [{ event: { type: 'ordered' } }, { not: { event: { type: 'returned' } } }] };

describe('While automations start with who enters and leaves a segment', () => {
  let room: EngineRoom;

  before(async () => {
    room = await EngineRoom.open();
  });
  after(() => room.close());

  const startWorker = () =>
    new ServiceProcess({ DATABASE_URL: room.service.database.url, WORKER_CONCURRENCY: '0', LOG_LEVEL: 'silent' });

  const query = <Row>(text: string) => room.service.database.query<Row>(text.replaceAll('$store', `'${room.storeId}'`));

  async function send(event_type: string, from: number, count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += 500) {
      const events = Array.from({ length: Math.min(500, count - sent) }, (_, n) => ({
        event_type,
        profile: { external_id: `c${from + sent + n}` },
      }));
      await room.client.post('/v1/events/bulk', { events }, { expect: 201 });
    }
  }

  const membersOf = async (id: string) => (await room.client.get(`/v1/segments/${id}`)).body.member_count;

  it('any process may be killed at any moment, and each change starts one run, as does each member', async () => {
    await send('ordered', 0, MEMBERS);
    const { body: segment } = await room.client.post(
      '/v1/segments',
      { name: 'Current', definition: CURRENT },
      { expect: 201 },
    );
    let worker = startWorker();
    await until(async () => (await membersOf(segment.id)) === MEMBERS, 'all are in');
    const rest = { reentry: { mode: 'every_time', per: 'profile' }, steps: [{ id: 'first', type: 'exit' }] } as const;
    const entered = await room.publish({
      trigger: { type: 'segment_entry', segment: segment.id, include_members: true },
      ...rest,
    });
    const left = await room.publish({ trigger: { type: 'segment_exit', segment: segment.id }, ...rest });
    const share = OTHERS / ROUNDS;
    for (let round = 0; round < ROUNDS; round += 1) {
      await send('ordered', MEMBERS + round * share, share);
      if (round > 0) await send('returned', MEMBERS + (round - 1) * share, share);
      await sleep(Math.random() * 500);
      worker.signal('SIGKILL');
      await worker.ended;
      worker = startWorker();
    }
    const count = async (id: string) =>
      (await query<{ n: number }>(`select count(*)::int as n from automation_run where automation_id = '${id}'`))[0]?.n;
    const changes = async (kind: string) =>
      (
        await query<{ n: number }>(`select count(*)::int as n from segment_change
          where store_id = $store and kind = '${kind}' and cause = 'event' and segment_id = '${segment.id}'`)
      )[0]?.n as number;
    await until(async () => (await membersOf(segment.id)) === MEMBERS + share, 'the members are exact');
    await until(async () => (await count(left)) === (await changes('left')), 'those who left have started');
    await until(
      async () => (await count(entered)) === MEMBERS + (await changes('entered')),
      'those who came have started',
    );
    await worker.stop();
    const twice = await query(`
      select automation_id, trigger_id from automation_run where store_id = $store
      group by 1, 2 having count(*) > 1`);
    expect(twice).to.deep.equal([]);
    const [odd] = await query<{ n: number }>(`
      select count(*)::int as n from automation_run r
      where r.store_id = $store and r.trigger_id not like 'member:%' and not exists (
        select from segment_change c where c.store_id = $store and c.id::text = r.trigger_id
          and c.profile_id = r.profile_id
          and c.kind = case r.automation_id when '${entered}' then 'entered' else 'left' end)`);
    expect(odd?.n).to.equal(0);
    const [members] = await query<{ n: number }>(`
      select count(distinct profile_id)::int as n from automation_run
      where store_id = $store and trigger_id like 'member:%'`);
    expect(members?.n).to.equal(MEMBERS);
  });
});
