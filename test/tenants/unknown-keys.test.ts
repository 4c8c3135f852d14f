import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { generateKey } from '../../src/domain/api-keys/api-keys.ts';
import { Client } from '../support/client.ts';
import { holdTable } from '../support/obstacles.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'visit', profile: { external_id: 'c1' } };

describe('Unknown but well-formed keys, next to valid ones', () => {
  let service: TestService;
  let victim: Client;

  before(async () => {
    const env = { TRUST_PROXY: '1', DATABASE_POOL_SIZE: '4' };
    service = await TestService.start(env);
  });
  after(() => service.stop());
  beforeEach(async () => {
    victim = await service.client();
    await victim.post('/v1/events', EVENT, { expect: 201 });
  });

  /** From so many addresses, so many at once. */
  const guess = (requests: number, addresses: number) =>
    Promise.all(
      Array.from({ length: requests }, (_, n) =>
        new Client(service.url, generateKey()).get('/v1/events', {
          headers: { 'X-Forwarded-For': `203.0.113.${n % addresses}` },
        }),
      ),
    );

  /** Keeps a table from everybody, until the end. */
  async function lock(table: string, seconds: number): Promise<{ end: Promise<unknown> }> {
    const release = await holdTable(service.database, table);
    return { end: sleep(seconds * 1_000).then(release) };
  }

  const waiting = async () => {
    const [row] = await service.database.query<{ count: number }>(`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return row?.count as number;
  };

  it('share the statements on a connection of their own', async () => {
    const { end } = await lock('api_key', 1.5);
    const answers = guess(100, 10);
    await until(async () => (await waiting()) > 0, 'they are looked up');
    await sleep(300);
    expect(await waiting()).to.equal(1);
    expect((await victim.get('/health/ready')).status).to.equal(200);
    await end;
    for (const { status } of await answers) expect(status).to.equal(401);
  });

  it('are limited per address while they wait, and delay no known key', async () => {
    const answers = guess(600, 1);
    const own = await Promise.all(Array.from({ length: 50 }, () => victim.post('/v1/events', EVENT)));
    for (const { status } of own) expect(status).to.equal(201);
    for (const { status, headers } of await answers) {
      expect(status).to.be.oneOf([401, 502]);
      if (status === 502) expect(headers['retry-after']).to.equal('1');
    }
    // A key that nobody has used yet is found at the same address.
    const { key } = await service.newKey();
    const headers = { 'X-Forwarded-For': '203.0.113.0' };
    await new Client(service.url, key).post('/v1/events', EVENT, { expect: 201, headers });
  });

  it('leave the service ready while its connections are busy, with at most one check per second', async () => {
    const { end } = await lock('event', 1.5);
    const clients = await Promise.all(Array.from({ length: 12 }, () => service.client()));
    const writes = clients.map((client) => client.post('/v1/events', EVENT));
    const scrapes = [];
    await until(() => service.database.isWaiting(), 'the connections are in use');
    for (let n = 0; n < 50; n += 1) {
      expect((await victim.get('/health/ready')).status).to.equal(200);
      scrapes.push(victim.get('/metrics', { expect: 200 }));
    }
    await Promise.all(scrapes);
    await end;
    await Promise.all(writes);
  });
});
