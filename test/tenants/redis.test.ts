import { expect } from 'chai';
import { createClient } from 'redis';
import type { Log } from '../../src/process/log.ts';
import { RedisWindow } from '../../src/rate-limit/redis-window.ts';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { ownRedis, type TestRedis } from '../support/redis.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'visit', profile: { external_id: 'c1' } };
const HOUR = 3_600e6;
const MINUTE = 60e6;

describe('The rate limit, while Redis misbehaves', () => {
  let redis: TestRedis;
  let admin: ReturnType<typeof createClient>;
  let service: TestService;
  let keyId: string;
  let client: Client;

  before(async function () {
    redis = await ownRedis(this);
    admin = createClient({ url: redis.url });
    await admin.connect();
    service = await TestService.start({ REDIS_URL: redis.url, RATE_LIMIT_TIERS: 'standard=40' });
  });
  after(async () => {
    await service?.stop();
    admin?.destroy();
    await redis?.stop();
  });
  beforeEach(async () => {
    const { id, key, storeId } = await service.newKey({ tier: 'standard' });
    keyId = id;
    client = (await service.client({ storeId })).as(key);
    await record(30);
  });

  const record = async (times: number, expect = 201) => {
    for (let n = 0; n < times; n += 1) await client.post('/v1/events', EVENT, { expect });
  };
  const left = async () => Number((await client.post('/v1/events', EVENT)).headers['ratelimit-remaining']);
  const state = async () => (await client.get('/health/ready', { expect: 200 })).body.redis;

  const list = () => `footfall:window:key:${keyId}`;
  /** The times in the window, in microseconds. */
  const stored = async () => (await admin.lRange(list(), 0, -1)).map(Number);
  /** As if Redis's clock had been set back by so many microseconds. */
  async function setBack(microseconds: number): Promise<void> {
    const times = await stored();
    await admin.del(list());
    await admin.rPush(
      list(),
      times.map((time) => String(time + microseconds)),
    );
  }

  it('locks no key out if the clock is set back, and admits no more than before', async () => {
    const before = await stored();
    await setBack(HOUR);
    const { headers } = await client.post('/v1/events', EVENT, { expect: 201 });
    expect(headers['ratelimit-remaining']).to.equal('9');
    expect(Number(headers['ratelimit-reset'])).to.be.within(1, 60);
    const times = await stored();
    expect(Math.max(...times)).to.be.at.most(Date.now() * 1_000 + 1e6);
    expect((times[29] as number) - (times[0] as number)).to.equal((before[29] as number) - (before[0] as number));
    expect(await admin.ttl(list())).to.be.within(1, 60);
    await record(9);
    await record(1, 429);
    // And a minute later all of it is free.
    await setBack(-MINUTE);
    expect(await left()).to.equal(39);
  });

  it('continues if the clock is set forward, or Redis is flushed with its scripts', async () => {
    await setBack(-HOUR);
    expect(await left()).to.equal(39);
    await admin.flushAll();
    await admin.scriptFlush();
    expect(await left()).to.equal(39);
    expect(await state()).to.equal('ok');
  });

  for (const [what, begin, end] of [
    ['is out of memory', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['is read-only', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
  ] as const) {
    it(`is each process's own while Redis ${what}, and is shared again afterwards`, async () => {
      await admin.sendCommand([...begin]);
      try {
        await record(40);
        await record(1, 429);
        expect(await state()).to.equal('down');
      } finally {
        await admin.sendCommand([...end]);
      }
      const other = await service.client({ tier: 'standard' });
      await until(async () => {
        await other.post('/v1/events', EVENT);
        return (await state()) === 'ok';
      }, 'it is shared again');
    });
  }

  it('logs once that it is not shared, however long that lasts', async () => {
    const lines: string[] = [];
    const log = { warn: (_: unknown, line: string) => lines.push(line), info: (line: string) => lines.push(line) };
    const window = await RedisWindow.open([redis.url], log as unknown as Log);
    try {
      await window.admit('full', 1);
      await admin.configSet('maxmemory', '1');
      for (let n = 0; n < 8; n += 1) {
        for (const subject of ['full', `other-${n}`]) await window.admit(subject, 1);
        await window.used(['full']);
        await new Promise((done) => setTimeout(done, 200));
      }
      expect(lines).to.deep.equal(['Redis is not available: each process limits on its own']);
      await admin.configSet('maxmemory', '0');
      let n = 0;
      await until(async () => {
        n += 1;
        await window.admit(`again-${n}`, 1);
        return window.available === 1;
      }, 'it is back');
      expect(lines.slice(1)).to.deep.equal(['Redis is back: the rate limit is shared again']);
    } finally {
      await admin.configSet('maxmemory', '0');
      window.close();
    }
  });
});
