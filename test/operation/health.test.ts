import { expect } from 'chai';
import type { Context } from 'mocha';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { ownRedis } from '../support/redis.ts';
import { TestService } from '../support/service.ts';

describe('The health of a service', () => {
  it('is ready with or without Redis, and reports which', async function (this: Context) {
    const redis = await ownRedis(this);
    const service = await TestService.start({ REDIS_URL: redis.url });
    const client = new Client(service.url);
    try {
      expect((await client.get('/health/live', { expect: 200 })).body).to.deep.equal({ status: 'ok' });
      const ready = async () => (await client.get('/health/ready', { expect: 200 })).body;
      expect(await ready()).to.deep.equal({
        status: 'ready',
        database: 'ok',
        redis: 'ok',
        jobs: 'ok',
        migrations: 'complete',
        erasures: 'complete',
      });
      await redis.stop();
      await until(async () => (await ready()).redis === 'down', 'it has seen that Redis is away');
      expect(await ready()).to.deep.equal({
        status: 'ready',
        database: 'ok',
        redis: 'down',
        jobs: 'ok',
        migrations: 'complete',
        erasures: 'complete',
      });
    } finally {
      await service.stop();
      await redis.stop();
    }
  });

  it("reports whether this process can process bulk jobs, and is ready if it can't", async () => {
    const service = await TestService.start();
    const { database } = service;
    const client = new Client(service.url);
    const jobs = async () => (await client.get('/health/ready', { expect: 200 })).body.jobs;
    try {
      expect(await jobs()).to.equal('ok');
      await database.query('alter table import_job rename to elsewhere');
      await until(async () => (await jobs()) === 'down', 'it has seen that it finds no jobs');
      await database.query('alter table elsewhere rename to import_job');
      await until(async () => (await jobs()) === 'ok', 'it has seen that it finds them again');
    } finally {
      await service.stop();
    }
  });

  it('names what is not configured', async () => {
    const service = await TestService.start({ WORKER_CONCURRENCY: '0' });
    try {
      const { body } = await new Client(service.url).get('/health/ready', { expect: 200 });
      expect(body).to.deep.equal({
        status: 'ready',
        database: 'ok',
        redis: 'not configured',
        jobs: 'elsewhere',
        migrations: 'complete',
        erasures: 'complete',
      });
    } finally {
      await service.stop();
    }
  });
});
