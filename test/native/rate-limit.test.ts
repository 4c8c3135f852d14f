import { expect } from 'chai';
import { eventDocument } from '../compat/documents.ts';
import { Client, type Response } from '../support/client.ts';
import { repeatConcurrently } from '../support/for-each.ts';
import { Pair } from '../support/pair.ts';
import { until } from '../support/process.ts';
import { ownRedis, redisUrl, type TestRedis } from '../support/redis.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'visit', profile: { external_id: 'c1' } };
const record = (client: Client): Promise<Response<any>> => client.post('/v1/events', EVENT);
const count = (answers: Response[], status: number) => answers.filter((answer) => answer.status === status).length;

describe('The rate limit', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1' });
  });
  after(() => service.stop());

  it('admits exactly 700 of 2,000 concurrent requests of a standard key', async () => {
    const client = await service.client({ tier: 'standard' });
    const answers = await repeatConcurrently(2_000, () => record(client));
    expect([count(answers, 201), count(answers, 429)]).to.deep.equal([700, 1_300]);
    const refused = answers.find(({ status }) => status === 429) as Response<any>;
    expect(refused.headers).to.include({ 'ratelimit-limit': '700', 'ratelimit-remaining': '0' });
    expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    expect(refused.headers['retry-after']).to.equal(refused.headers['ratelimit-reset']);
  });

  it('is stated in every response, and counts requests that are refused for other reasons', async () => {
    const client = await service.client({ tier: 'standard', scopes: ['events:write'] });
    const remaining = ({ headers }: Response) => [headers['ratelimit-limit'], headers['ratelimit-remaining']];
    expect(remaining(await record(client))).to.deep.equal(['700', '699']);
    expect(remaining(await client.post('/v1/events', {}, { expect: 400 }))).to.deep.equal(['700', '698']);
    expect(remaining(await client.post('/v1/profiles/upsert', {}, { expect: 403 }))).to.deep.equal(['700', '697']);
    expect(remaining(await client.get('/v1/none', { expect: 404 }))).to.deep.equal(['700', '696']);
  });

  it('is shared by both surfaces, and counts a bulk request once', async () => {
    const client = await service.client({ tier: 'high_volume' });
    const document = eventDocument({ metric: 'Visit', profile: { external_id: 'c1' } });
    await client.post('/compat/v1/events', document, { expect: 202 });
    const batch = { events: Array.from({ length: 100 }, () => EVENT) };
    const { headers } = await client.post('/v1/events/bulk', batch, { expect: 201 });
    expect(headers).to.include({ 'ratelimit-limit': '1400', 'ratelimit-remaining': '1398' });
  });

  it('follows the tier of the key, even if that changes', async () => {
    const { key, id } = await service.newKey({ tier: 'standard' });
    const client = new Client(service.url, key);
    expect((await record(client)).headers['ratelimit-limit']).to.equal('700');
    await service.keys.setTier(id, 'partner');
    await until(async () => (await record(client)).headers['ratelimit-limit'] === '3500', 'the tier has changed');
  });

  it('shows its use in the list of keys, over both surfaces', async () => {
    const { key, storeId } = await service.newKey({ tier: 'high_volume', name: 'Shop', scopes: ['events:write'] });
    const manager = await service.client({ storeId, tier: 'standard', name: 'Manager' });
    const shop = manager.as(key);
    const uses = async () => {
      const { api_keys } = (await manager.get('/v1/api-keys', { expect: 200 })).body;
      return Object.fromEntries(api_keys.map(({ name, rate_limit }: any) => [name, rate_limit]));
    };
    expect(await uses()).to.deep.equal({ Shop: { limit: 1400, used: 0 }, Manager: { limit: 700, used: 1 } });
    await record(shop);
    await shop.post('/v1/events', {}, { expect: 400 });
    await shop.post('/compat/v1/events', {}, { expect: 400 });
    expect(await uses()).to.deep.equal({ Shop: { limit: 1400, used: 3 }, Manager: { limit: 700, used: 2 } });
  });

  it('counts requests without a valid key by client address, even behind a proxy', async () => {
    const guess = (address: string) =>
      new Client(service.url, 'ffk_guess').post('/v1/events', EVENT, { headers: { 'X-Forwarded-For': address } });
    const answers = await repeatConcurrently(800, () => guess('203.0.113.7'));
    expect([count(answers, 401), count(answers, 429)]).to.deep.equal([700, 100]);
    const other = await guess('203.0.113.8');
    expect([other.status, other.headers['ratelimit-remaining']]).to.deep.equal([401, '699']);
    // What the client itself claims stands before what the proxy adds.
    expect((await guess('198.51.100.1, 203.0.113.7')).status).to.equal(429);
  });
});

describe('The rate limit in Redis', () => {
  let pair: Pair;

  before(async function () {
    pair = await Pair.start(redisUrl(this));
  });
  after(() => pair?.stop());

  it('admits exactly 700 of 2,000 concurrent requests, sent to two processes', async () => {
    // With all at once, a busy machine takes longer for what Redis answers than a process waits for it.
    const answers = await repeatConcurrently(2_000, (n) => record(pair.client(n)));
    expect([count(answers, 201), count(answers, 429)]).to.deep.equal([700, 1_300]);
  });
});

describe('The rate limit while Redis is down', () => {
  let redis: TestRedis;
  let service: TestService;
  let storeId: string;
  let client: Client;

  before(async function () {
    redis = await ownRedis(this);
    service = await TestService.start({ REDIS_URL: redis.url });
    storeId = await service.newStore();
    client = await service.client({ storeId, tier: 'standard' });
  });
  after(async () => {
    await service?.stop();
    await redis?.stop();
  });

  const state = async () => (await client.get('/health/ready', { expect: 200 })).body.redis;

  it('falls back to a window of the process, never returns 5xx, and returns to Redis', async () => {
    await record(client);
    await redis.stop();
    const answers = await repeatConcurrently(800, () => record(client));
    expect([count(answers, 201), count(answers, 429)]).to.deep.equal([700, 100]);
    const manager = await service.client({ storeId, tier: 'standard', name: 'Manager' });
    const { api_keys } = (await manager.get('/v1/api-keys', { expect: 200 })).body;
    expect(api_keys.map(({ rate_limit }: any) => rate_limit.used)).to.deep.equal([1, 700]);
    expect(await state()).to.equal('down');

    redis = await redis.restart();
    const other = await service.client({ tier: 'standard' });
    await until(async () => {
      expect((await record(other)).status).to.be.below(500);
      return (await state()) === 'ok';
    }, 'Redis is back');
  });

  it('responds while Redis hangs, and returns to it', async () => {
    await until(async () => (await state()) === 'ok', 'Redis is there');
    redis.signal('SIGSTOP');
    const answers = await Promise.all(Array.from({ length: 20 }, () => record(client)));
    for (const { status } of answers) expect(status).to.be.oneOf([201, 429]);
    redis.signal('SIGCONT');
    const other = await service.client({ tier: 'standard' });
    await until(async () => (await record(other)).status === 201 && (await state()) === 'ok', 'Redis is back');
  });
});
