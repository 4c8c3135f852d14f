import { expect } from 'chai';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { redisUrl } from '../support/redis.ts';

describe('Several processes on one port', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let url: string;

  before(async function () {
    const env = { REDIS_URL: redisUrl(this), WORKERS: '2', RATE_LIMIT_TIERS: 'standard=1000000' };
    database = await createDatabase();
    service = new ServiceProcess({ ...env, DATABASE_URL: database.url });
    url = await service.url();
  });
  after(async () => {
    await service?.stop();
    await database?.drop();
  });

  const record = () =>
    fetch(`${url}/v1/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json', Connection: 'close' },
      body: JSON.stringify({ event_type: 'visit', profile: { external_id: 'c1' } }),
    });

  /** The processes that have told of requests in the log. */
  const members = () =>
    new Set([...service.stdout.matchAll(/"pid":(\d+),.*"msg":"request"/g)].map(([, pid]) => Number(pid)));

  it('share the connections', async () => {
    await until(async () => {
      expect((await record()).status).to.equal(201);
      return members().size === 2;
    }, 'both processes have served');
  });

  it('replace one that dies', async () => {
    const [victim] = members();
    process.kill(victim as number, 'SIGKILL');
    await until(async () => {
      await record().catch(() => undefined);
      return [...members()].filter((pid) => pid !== victim).length === 2;
    }, 'another process serves in its place');
  });

  it('drain together and exit with 0', async () => {
    const { code } = await service.stop();
    expect(code).to.equal(0);
  });
});
