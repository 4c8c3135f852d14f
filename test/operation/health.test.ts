import { expect } from 'chai';
import type { Context } from 'mocha';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { ownRedis } from '../support/redis.ts';
import { TestService } from '../support/service.ts';

describe('the health of a service with Redis', () => {
  it('is ready with it, and without it too, and says which', async function (this: Context) {
    const redis = await ownRedis(this);
    const service = await TestService.start({ REDIS_URL: redis.url });
    const client = new Client(service.url);
    try {
      expect((await client.get('/health/live', { expect: 200 })).body).to.deep.equal({ status: 'ok' });
      const ready = async () => (await client.get('/health/ready', { expect: 200 })).body;
      expect(await ready()).to.deep.equal({ status: 'ready', database: 'ok', redis: 'ok' });
      await redis.stop();
      await until(async () => (await ready()).redis === 'down', 'it has seen that Redis is away');
      expect(await ready()).to.deep.equal({ status: 'ready', database: 'ok', redis: 'down' });
    } finally {
      await service.stop();
      await redis.stop();
    }
  });
});
