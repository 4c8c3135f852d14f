import { expect } from 'chai';
import { Metrics } from '../support/metrics.ts';
import { createDatabase, type TestDatabase } from '../support/postgres.ts';
import { ServiceProcess, until } from '../support/process.ts';
import { redisUrl } from '../support/redis.ts';

const REQUESTS = { operation: 'createEvent', status: '201' };

describe('/metrics of several processes', () => {
  let database: TestDatabase;
  let service: ServiceProcess;
  let url: string;
  let sent = 0;

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

  /** Records an event over a connection of its own. */
  const record = async () => {
    const response = await fetch(`${url}/v1/events`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json', Connection: 'close' },
      body: JSON.stringify({ event_type: 'visit', profile: { external_id: 'c1' } }),
    });
    expect(response.status).to.equal(201);
    sent += 1;
  };

  /** The processes that have told of such requests in the log. */
  const members = () =>
    new Set([...service.stdout.matchAll(/"pid":(\d+),.*"operation":"createEvent"/g)].map(([, pid]) => Number(pid)));

  it('covers all processes, whichever responds', async () => {
    await until(async () => {
      await record();
      return members().size === 2;
    }, 'both processes have served');
    for (let i = 0; i < 20; i += 1) {
      const metrics = await Metrics.of(url);
      expect(metrics.sum('footfall_requests_total', REQUESTS)).to.equal(sent);
      expect(metrics.sum('footfall_request_duration_seconds_count', { operation: 'createEvent' })).to.equal(sent);
      expect(metrics.sum('footfall_processes')).to.equal(2);
      expect(metrics.sum('footfall_redis_up')).to.equal(1);
    }
  });

  it('never falls when a process is replaced', async () => {
    const [victim] = members();
    process.kill(victim as number, 'SIGKILL');
    await until(() => service.stdout.includes('a process ended, and is replaced'), 'its end is noticed');
    await until(async () => {
      const metrics = await Metrics.of(url);
      expect(metrics.sum('footfall_requests_total', REQUESTS)).to.equal(sent);
      return metrics.sum('footfall_processes') === 2;
    }, 'another is there in its place');
    await record();
    expect((await Metrics.of(url)).sum('footfall_requests_total', REQUESTS)).to.equal(sent);
  });
});
