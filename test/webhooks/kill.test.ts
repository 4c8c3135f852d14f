import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { createUndividedDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { TestService } from '../support/service.ts';
import { stateOf } from '../support/turns.ts';
import { Merchant, RECEIVABLE } from './support/merchant.ts';
import { Receiver } from './support/receiver.ts';

const COUNT = 60;

describe('While webhooks are sent', () => {
  let database: TestDatabase;
  /** Neither sends nor reads anything by itself. */
  let service: TestService;
  let merchant: Merchant;
  let receiver: Receiver;
  let endpoint: { id: string; secret: string };
  let ids: string[];

  before(async () => {
    database = await createUndividedDatabase();
    service = await TestService.start(
      { ...RECEIVABLE, AUTOMATION_CONCURRENCY: '0', WORKER_CONCURRENCY: '0' },
      database,
    );
  });
  beforeEach(async () => {
    merchant = await Merchant.open(service);
    receiver = await Receiver.start((response) => void setTimeout(() => response.writeHead(200).end(), 10));
    endpoint = await merchant.endpoint(receiver.url, { max_concurrent: 5, max_per_second: 1000 });
    ids = await merchant.queue(endpoint.id, COUNT);
  });
  afterEach(() => receiver[Symbol.asyncDispose]());
  after(() => service.stop());

  const startSender = () =>
    new ServiceProcess({ ...RECEIVABLE, DATABASE_URL: database.url, WORKER_CONCURRENCY: '0', LOG_LEVEL: 'silent' });
  const received = (count: number) =>
    until(() => Promise.resolve(receiver.received.length >= count), `${count} are there`);

  /** What a process had taken is taken over, without waiting for the end of its lease. */
  const endLeases = () =>
    merchant.query(`update webhook_delivery set due_at = now() where store_id = $store and status = 'sending'`);

  /** Each has arrived, with one id and one body. */
  async function expectAll(): Promise<void> {
    await merchant.untilAll(endpoint.id, 'delivered');
    const bodies = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.received) {
      new Webhook(endpoint.secret).verify(body, headers as Record<string, string>);
      const id = String(headers['webhook-id']);
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
    }
    expect([...bodies.keys()]).to.have.members(ids);
    for (const [id, different] of bodies) expect(different.size, id).to.equal(1);
  }

  it('a process may be killed at any moment: what it had taken is sent again, and nothing is lost', async () => {
    const killed = startSender();
    await received(5);
    await sleep(Math.random() * 30);
    killed.signal('SIGKILL');
    await killed.ended;
    await endLeases();
    const last = startSender();
    await expectAll();
    await last.stop();
  });

  it('a process that is told to stop has all of its work end at the same time', async () => {
    const [called, asked] = [Promise.withResolvers<ServerResponse>(), Promise.withResolvers<ServerResponse>()];
    receiver.respond = called.resolve;
    await using shop = await Receiver.start(asked.resolve);
    const feed = { name: 'Teas', url: shop.url, is_paused: true };
    const { body } = await merchant.client.post<any>('/v1/catalog/feeds', feed, { expect: 201 });
    await merchant.client.post(`/v1/catalog/feeds/${body.id}/run`, {});
    const stopped = new ServiceProcess({ ...RECEIVABLE, DATABASE_URL: database.url });
    const [delivery, reading] = [await called.promise, await asked.promise];
    stopped.signal('SIGTERM');
    // The feed is not read any further, while the receiver of the webhook keeps its sender waiting.
    await once(reading, 'close');
    expect([delivery.closed, await stateOf(stopped.ended)]).to.deep.equal([false, 'pending']);
    receiver.respond = (response) => response.writeHead(200).end();
    delivery.writeHead(200).end();
    expect(await stopped.ended).to.include({ code: 0 });
    await endLeases();
    const last = startSender();
    await expectAll();
    await last.stop();
  });

  it('a process may be killed while a run waits for the answer to a call: the run goes on once', async () => {
    const automation = {
      name: 'Test',
      trigger: { type: 'manual' },
      start: 'score',
      steps: [
        { id: 'score', type: 'call_webhook', endpoint_id: endpoint.id, next: 'tell' },
        {
          id: 'tell',
          type: 'emit_event',
          event_type: 'scored',
          properties: { tier: { from: 'steps.score.answer.tier' } },
          next: null,
        },
      ],
    };
    const post = (path: string, body: object) => merchant.client.post<any>(path, body);
    const { body } = await post('/v1/automations', { definition: automation });
    await post(`/v1/automations/${body.id}/publish`, { revision: 1 });
    await post('/v1/profiles/upsert', { identifiers: { email: 'ada@example.com' } });
    const enrolled = await post(`/v1/automations/${body.id}/runs`, { profile: { email: 'ada@example.com' } });
    const run = async () => (await merchant.client.get<any>(`/v1/runs/${enrolled.body.run.id}`)).body;
    const calls = () => receiver.received.filter((one) => one.body === '').length;
    const answer = (response: ServerResponse) => response.writeHead(200).end('{"tier":"gold"}');
    receiver.respond = (response, { body: sent }) => (sent === '' ? undefined : answer(response));
    const killed = startSender();
    await until(() => Promise.resolve(calls() > 0), 'the call has arrived');
    killed.signal('SIGKILL');
    await killed.ended;
    receiver.respond = answer;
    await endLeases();
    const last = startSender();
    await until(async () => (await run()).status !== 'active', 'the run has ended');
    await last.stop();
    const { timeline } = await run();
    const outcomes = timeline.map(({ outcome }: any) => outcome);
    expect(outcomes).to.deep.equal(['started', 'delivery_queued', 'delivered', 'event_emitted', 'ended']);
    expect(timeline[3].detail.properties).to.deep.equal({ tier: 'gold' });
    expect(calls()).to.be.at.least(2);
  });

  it('the network to the receiver may fail before, during and after the answer', async () => {
    const ways: ((response: ServerResponse) => void)[] = [
      (response) => response.socket?.destroy(),
      (response) => response.write('x', () => response.socket?.resetAndDestroy()),
      (response) => response.writeHead(200).end(),
    ];
    receiver.respond = (response) => ways[Math.floor(Math.random() * ways.length)]?.(response);
    const sender = startSender();
    await received(COUNT);
    receiver.respond = (response) => response.writeHead(200).end();
    const goOn = setInterval(async () => {
      await merchant.query('update webhook_endpoint set resting_until = null where store_id = $store');
      await merchant.hasten();
    }, 100);
    try {
      await expectAll();
    } finally {
      clearInterval(goOn);
      await sender.stop();
    }
  });

  it('Postgres may end all connections: what came of each is recorded, or it is sent again', async () => {
    const sender = startSender();
    for (let i = 1; i <= 3; i += 1) {
      await received(10 * i);
      await database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and query ~ 'webhook_'`,
      );
    }
    const goOn = setInterval(() => endLeases().catch(() => {}), 2_000);
    try {
      await expectAll();
    } finally {
      clearInterval(goOn);
      await sender.stop();
    }
  });
});
