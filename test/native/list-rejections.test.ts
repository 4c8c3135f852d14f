import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { readAll } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const PATH = '/v1/rejections';

describe('GET /v1/rejections', () => {
  let service: TestService;
  let key: { id: string; key: string; storeId: string };
  let client: Client;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=700,partner=100000,one=1' });
  });
  after(() => service.stop());
  beforeEach(async () => {
    key = await service.newKey({ name: 'Shop' });
    client = new Client(service.url, key.key);
  });

  const listed = async (count: number): Promise<any[]> => {
    let rejections: any[] = [];
    await until(async () => {
      ({ rejections } = (await client.get(`${PATH}?limit=100`, { expect: 200 })).body);
      return rejections.length >= count;
    }, 'they are written');
    return rejections;
  };

  it('lists the requests refused on both surfaces, newest first: the key, what and why, without values', async () => {
    const refused = [
      await client.post('/v1/events', { event_type: 'visit', profile: { email: 'not-an-address' } }, { expect: 400 }),
      await client.post('/compat/v1/events', { data: { type: 'secret-value' } }, { expect: 400 }),
      await client.get('/v1/events/nothing', { expect: 404 }),
      await client.get('/v1/no-such-operation', { expect: 404 }),
    ];
    const rejections = (await listed(4)).reverse();
    expect(rejections.map(({ request_id }) => request_id)).to.deep.equal(
      refused.map(({ headers }) => headers['x-request-id']),
    );
    expect(rejections.map(({ operation, status, code, field }) => [operation, status, code, field])).to.deep.equal([
      ['createEvent', 400, 'validation_error', 'profile.email'],
      ['createCompatEvent', 400, 'validation_error', 'data.attributes'],
      ['getEvent', 404, 'not_found', null],
      [null, 404, 'not_found', null],
    ]);
    expect(rejections[0].message).to.equal(refused[0]?.body.error.message);
    for (const rejection of rejections) expect(rejection.key).to.deep.equal({ id: key.id, name: 'Shop' });
    expect(JSON.stringify(rejections)).not.to.match(/not-an-address|secret-value/);
  });

  it('includes missing scopes and full windows', async () => {
    const { storeId } = key;
    await (await service.client({ storeId, scopes: [], name: 'Powerless' })).get('/v1/events', { expect: 403 });
    const limited = await service.client({ storeId, tier: 'one', name: 'Limited' });
    await limited.get('/v1/events');
    await limited.get('/v1/events', { expect: 429 });
    const rejections = await listed(2);
    expect(rejections.map((one) => [one.key.name, one.status, one.code])).to.have.deep.members([
      ['Powerless', 403, 'forbidden'],
      ['Limited', 429, 'rate_limit_exceeded'],
    ]);
  });

  it("includes fields with names that can't be stored, and loses nothing of other stores", async () => {
    const other = await service.client();
    const name = 'a\\u0000b\\ud800';
    const headers = { 'Content-Type': 'application/json' };
    const body = `{"event_type":"visit","profile":{"external_id":"c1"},"${name}":1,"properties":{"${name}":1}}`;
    await client.send('POST', '/v1/events', body, { expect: 400, headers });
    await client.get('/v1/events?%00%ED%A0%80=1', { expect: 400 });
    await other.get('/v1/nothing', { expect: 404 });
    await client.get('/v1/nothing', { expect: 404 });
    const rejections = await listed(3);
    expect(rejections.map(({ field }) => field)[2]).to.match(/a\ufffdb\ufffd$/);
    await until(async () => (await other.get(PATH)).body.rejections.length === 1, 'that of the other store is written');
  });

  it('keeps the last 1,000 of a store, and returns each once across its pages', async () => {
    await service.database.query(`
      insert into rejection (store_id, id, request_id, key_id, status, code, message, rejected_at)
      select '${key.storeId}', uuidv7(interval '-1 day'), uuidv7(), '${key.id}', 404, 'not_found', 'old', now()
      from generate_series(1, 1200)`);
    await client.get('/v1/nothing', { expect: 404 });
    await until(async () => {
      const [row] = await service.database.query<{ n: string }>(
        `select count(*) as n from rejection where store_id = '${key.storeId}'`,
      );
      return Number(row?.n) === 1_000;
    }, 'the oldest are deleted');
    const shown = await readAll(client, `${PATH}?limit=99`, 'rejections');
    expect(shown).to.have.length(1_000);
    expect(new Set(shown.map(({ id }) => id)).size).to.equal(1_000);
    expect(shown[0].message).not.to.equal('old');
  });

  it('writes few of very many', async () => {
    await Promise.all(Array.from({ length: 2_000 }, () => client.get('/v1/nothing', { expect: 404 })));
    await listed(100);
    const shown = await readAll(client, PATH, 'rejections');
    expect(shown.length).to.be.below(1_000);
  });
});
