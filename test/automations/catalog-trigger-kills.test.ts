import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ServiceProcess, until } from '../support/process.ts';
import { EngineRoom } from './support/engine-room.ts';

const [CUSTOMERS, ROUNDS] = [2_000, 4];

describe('While automations tell customers that an item is back in stock', () => {
  let room: EngineRoom;

  before(async () => {
    room = await EngineRoom.open();
  });
  after(() => room.close());

  const startWorker = () =>
    new ServiceProcess({ DATABASE_URL: room.service.database.url, WORKER_CONCURRENCY: '0', LOG_LEVEL: 'silent' });
  const query = <Row>(text: string) => room.service.database.query<Row>(text.replaceAll('$store', `'${room.storeId}'`));
  const numberOf = async (text: string) => (await query<{ n: number }>(`select count(*)::int as n from ${text}`))[0]?.n;

  it('each change starts a run, as soon as it is known', async () => {
    const started = async () => (await query<{ n: number }>(RUNS))[0]?.n ?? 0;
    const RUNS = "select count(*)::int as n from automation_run where store_id = $store and key = 'cup'";
    await room.send('came', 'ada@example.com');
    await room.client.post('/v1/catalog/items/upsert', { id: 'cup', title: 'Cup', stock: 0 }, { expect: 201 });
    const waits = { profile: { email: 'ada@example.com' }, item_id: 'cup', kind: 'back_in_stock' };
    await room.publish({
      trigger: { type: 'catalog', change: 'back_in_stock', audience: { subscribed: true } },
      reentry: { mode: 'every_time', per: 'key' },
      steps: [{ id: 'first', type: 'exit' }],
    });
    const worker = startWorker();
    for (let round = 0; round < 8; round += 1) {
      await room.client.post('/v1/catalog/stock', { updates: [{ item_id: 'cup', stock: 0 }] }, { expect: 200 });
      await room.client.post('/v1/catalog/subscriptions', waits, { expect: 201 });
      await room.client.post('/v1/catalog/stock', { updates: [{ item_id: 'cup', stock: 5 }] }, { expect: 200 });
      await until(async () => (await started()) === round + 1, 'the run has started');
    }
    await worker.stop();
  });

  it('two processes work, and any may be killed at any moment: each customer is told once', async () => {
    for (let sent = 0; sent < CUSTOMERS; sent += 1_000) {
      const events = Array.from({ length: 1_000 }, (_, n) => ({
        event_type: 'came',
        profile: { external_id: `c${sent + n}` },
      }));
      await room.client.post('/v1/events/bulk', { events }, { expect: 201 });
    }
    await room.client.post('/v1/catalog/items/upsert', { id: 'pot', title: 'Pot', stock: 0 }, { expect: 201 });
    await query(`
      insert into catalog_subscription (store_id, id, item_id, kind, profile_id, from_client, created_at)
      select $store, gen_random_uuid(), 'pot', 'back_in_stock', id, false, now() - interval '1 second'
      from profile where store_id = $store and external_id is not null`);
    const id = await room.publish({
      trigger: { type: 'catalog', change: 'back_in_stock', audience: { subscribed: true } },
      steps: [{ id: 'first', type: 'emit_event', event_type: 'told', next: null }],
    });
    const workers = [startWorker(), startWorker()];
    await room.client.post('/v1/catalog/stock', { updates: [{ item_id: 'pot', stock: 9 }] }, { expect: 200 });
    const runs = `automation_run where store_id = $store and automation_id = '${id}'`;
    for (let round = 0; round < ROUNDS; round += 1) {
      await until(async () => ((await numberOf(runs)) ?? 0) >= (round * CUSTOMERS) / (ROUNDS * 2), 'some have started');
      await sleep(Math.random() * 200);
      const [oldest] = workers.splice(0, 1);
      oldest?.signal('SIGKILL');
      await oldest?.ended;
      workers.push(startWorker());
    }
    await until(async () => (await numberOf(`${runs} and status = 'ended'`)) === CUSTOMERS, 'all were told');
    await until(async () => (await numberOf('automation_audience where store_id = $store')) === 0, 'nobody is left');
    for (const worker of workers) await worker.stop();
    expect(await numberOf(runs)).to.equal(CUSTOMERS);
    expect(await numberOf(`(select distinct profile_id from ${runs}) as told`)).to.equal(CUSTOMERS);
    expect(await numberOf("event where store_id = $store and event_type = 'told'")).to.equal(CUSTOMERS);
    expect(await numberOf('catalog_subscription where store_id = $store and notified_at is null')).to.equal(0);
  });
});
