import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Client, type Response } from '../support/client.ts';
import { repeatConcurrently } from '../support/for-each.ts';
import { until } from '../support/process.ts';
import { redisUrl } from '../support/redis.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'visit', profile: { external_id: 'c1' } };
const PATH = '/v1/api-keys';
const TIERS = 'standard=40,partner=3500';

describe('The rate limit of a store with many keys', () => {
  let service: TestService;
  let storeId: string;
  let manager: Client;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: TIERS });
  });
  after(() => service.stop());
  beforeEach(async () => {
    const first = await service.newKey();
    storeId = first.storeId;
    manager = new Client(service.url, first.key);
  });

  const create = async (body: object = {}) =>
    (await manager.post(PATH, { name: 'Shop', scopes: ['events:write'], ...body }, { expect: 201 })).body;
  const revoke = (id: string) => manager.send('DELETE', `${PATH}/${id}`, undefined, { expect: 200 });

  /** How many of so many requests are admitted. */
  async function admitted(key: string, requests: number, by = service.url): Promise<number> {
    const client = new Client(by, key);
    const answers = await repeatConcurrently(requests, () => client.post('/v1/events', EVENT));
    for (const { status } of answers) expect(status).to.be.oneOf([201, 429]);
    return answers.filter(({ status }) => status === 201).length;
  }

  it("can't be bypassed by creating and revoking keys", async () => {
    let sum = 0;
    for (let n = 0; n < 10; n += 1) {
      const { key, api_key } = await create();
      sum += await admitted(key, 50);
      await revoke(api_key.id);
    }
    expect(sum).to.equal(40);
  });

  it("can't be bypassed with keys that expire", async () => {
    const expiresAt = new Date(Date.now() + 2_000);
    const { key } = await create({ expires_at: expiresAt.toISOString() });
    expect(await admitted(key, 50)).to.equal(40);
    await until(() => Date.now() > expiresAt.getTime(), 'the key has ended');
    const { key: next, api_key } = await create();
    expect(api_key.rate_limit).to.deep.equal({ limit: 40, used: 40 });
    expect(await admitted(next, 1)).to.equal(0);
    // One that does not come after another has all of its limit.
    expect((await create()).api_key.rate_limit.used).to.equal(0);
  });

  it('is ten times that of a key for all its keys at a tier', async () => {
    const keys = [];
    for (let n = 0; n < 14; n += 1) keys.push(await create());
    let sum = 0;
    for (const { key } of keys) sum += await admitted(key, 40);
    expect(sum).to.equal(400);
    const { headers, body } = await manager.as(keys[13]?.key as string).post<any>('/v1/events', EVENT, { expect: 429 });
    expect(headers).to.include({ 'ratelimit-limit': '40', 'ratelimit-remaining': '0' });
    expect(Number(headers['retry-after'])).to.be.within(1, 60);
    expect(body.error.message).to.equal('More than 400 requests in 60 seconds by all keys of the store together');
    // What was refused for the store does not count for the key, and other tiers and stores are apart from it.
    const { api_keys } = (await manager.get(PATH, { expect: 200 })).body;
    expect(api_keys.filter(({ rate_limit }: any) => rate_limit.used === 0)).to.have.length(4);
    expect(await admitted((await service.newKey({ tier: 'standard' })).key, 1)).to.equal(1);
  });

  it('is shared by a key and its successor, over all processes', async function () {
    const env = { RATE_LIMIT_TIERS: TIERS, REDIS_URL: redisUrl(this) };
    const others = [await TestService.start(env, service.database), await TestService.start(env, service.database)];
    try {
      const { key } = await service.newKey({ storeId });
      const [a, b] = others as [TestService, TestService];
      const through = new Client(a.url, key);
      const body = { name: 'Shop', scopes: ['events:write'] };
      const first = (await through.post(PATH, body, { expect: 201 })).body;
      expect(await admitted(first.key, 30, a.url)).to.equal(30);
      await through.send('DELETE', `${PATH}/${first.api_key.id}`, undefined, { expect: 200 });
      const second = (await through.post(PATH, body, { expect: 201 })).body;
      expect(await admitted(second.key, 30, b.url)).to.equal(10);
    } finally {
      for (const other of others) await other.stopService();
    }
  });
});

describe('Hundreds of keys that one store creates at once', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());

  it('leave the write connections to other stores, and are created or refused with Retry-After', async () => {
    const attacker = await service.client();
    const victim = await service.client({ storeId: (await service.newKey()).storeId });
    await victim.post('/v1/events', EVENT, { expect: 201 });
    const made: Promise<Response<any>>[] = [];
    let ended = 0;
    const count = () => {
      ended += 1;
    };
    for (let n = 0; n < 40; n += 1) {
      for (let i = 0; i < 10; i += 1)
        made.push(attacker.post(PATH, { name: 'Shop', scopes: ['events:write'] }).finally(count));
      await sleep(1);
    }
    for (let n = 0; n < 5; n += 1) await victim.post('/v1/events', EVENT, { expect: 201 });
    expect(ended).to.be.below(made.length);
    const statuses = new Set((await Promise.all(made)).map(({ status }) => status));
    expect([201, 400, 502]).to.include.members([...statuses]);
  });
});
