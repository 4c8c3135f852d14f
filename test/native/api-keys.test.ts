import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { readAll } from '../support/reading.ts';
import { TestService } from '../support/service.ts';

const PATH = '/v1/api-keys';
const event = { event_type: 'visit', profile: { external_id: 'ada' } };

describe('API keys: GET and POST /v1/api-keys, GET /v1/api-keys/current, GET /v1/api-keys/{id}, PATCH /v1/api-keys/{id}, DELETE /v1/api-keys/{id}', () => {
  let service: TestService;
  let manager: { id: string; key: string; storeId: string };
  let client: Client;

  before(async () => {
    service = await TestService.start();
  });
  after(() => service.stop());
  beforeEach(async () => {
    manager = await service.newKey();
    client = new Client(service.url, manager.key);
  });

  const create = async (body: object) => (await client.post(PATH, body, { expect: 201 })).body;
  const refused = async (body: object, by = client) => (await by.post(PATH, body, { expect: 400 })).body.error.field;

  it('are created as requested, at the standard tier, and work on both surfaces', async () => {
    const expires_at = new Date(Date.now() + 1e8).toISOString();
    const { key, api_key } = await create({ name: 'Shop', scopes: ['events:write'], expires_at });
    expect(api_key).to.include({ name: 'Shop', tier: 'standard', last_used_at: null, expires_at, revoked_at: null });
    expect(api_key.scopes).to.deep.equal(['events:write']);
    const { headers } = await client.as(key).post('/v1/events', event, { expect: 201 });
    expect(headers['ratelimit-limit']).to.equal('700');
    await client.as(key).get('/v1/events', { expect: 403 });
    expect(JSON.stringify(await service.database.query('select * from api_key'))).not.to.include(key);
  });

  it('are shown one by one, and renamed, whether they are in use or not', async () => {
    const { api_key } = await create({ name: 'Shop', scopes: ['events:write'] });
    const path = `${PATH}/${api_key.id}`;
    expect((await client.get(path, { expect: 200 })).body).to.deep.equal(api_key);
    const rename = (body: object, expected = 200) =>
      client.send('PATCH', path, JSON.stringify(body), {
        headers: { 'Content-Type': 'application/json' },
        expect: expected,
      });
    expect((await rename({ name: 'Till' })).body).to.deep.equal({ ...api_key, name: 'Till' });
    await client.send('DELETE', path, undefined, { expect: 200 });
    expect((await rename({ name: 'Old till' })).body.name).to.equal('Old till');
    for (const body of [{}, { name: '' }, { name: 'a\nb' }, { name: 'A', scopes: ['keys:manage'] }])
      await rename(body, 400);
    expect((await client.get(path, { expect: 200 })).body.name).to.equal('Old till');
  });

  it('return themselves and their store, whatever their scopes', async () => {
    const storeId = await service.newStore('Analytical Engines');
    const { id, key } = await service.newKey({ storeId, name: 'Till', scopes: [] });
    const { body } = await client.as(key).get(`${PATH}/current`, { expect: 200 });
    expect(body.store).to.deep.equal({
      ...{ id: storeId, name: 'Analytical Engines', display_name: null, time_zone: null, currency: null },
    });
    expect(body.api_key).to.include({ id, name: 'Till', tier: 'partner', revoked_at: null });
    expect(body.api_key.rate_limit.used).to.equal(1);
    expect(JSON.stringify(body)).not.to.include(key);
  });

  it('are listed newest first, only those of the store, without the plaintext', async () => {
    const created = [];
    for (const name of ['a', 'b', 'c']) created.unshift((await create({ name, scopes: ['events:read'] })).api_key);
    const listed = await readAll(client, `${PATH}?limit=2`, 'api_keys');
    expect(listed.slice(0, 3)).to.deep.equal(created);
    expect(listed.map(({ id }) => id)).to.deep.equal([...created.map(({ id }) => id), manager.id]);
    expect(JSON.stringify(listed)).not.to.match(/ffk_|hash/);
  });

  it('record when they were last used', async () => {
    await until(async () => {
      const { api_keys } = (await client.get(PATH, { expect: 200 })).body;
      return api_keys[0].last_used_at !== null;
    }, 'it is written down');
  });

  it('are revoked permanently, and refused from then on', async () => {
    const { key, api_key } = await create({ name: 'Shop', scopes: ['events:write'] });
    await client.as(key).post('/v1/events', event, { expect: 201 });
    const revoke = async () => (await client.send('DELETE', `${PATH}/${api_key.id}`, undefined, { expect: 200 })).body;
    const before = Date.now();
    const revoked = await revoke();
    expect(Date.parse(revoked.revoked_at)).to.be.within(before, Date.now());
    await until(async () => (await client.as(key).post('/v1/events', event)).status === 401, 'it is refused');
    expect(await revoke()).to.deep.include({ revoked_at: revoked.revoked_at });
    expect((await client.get(PATH)).body.api_keys[0].revoked_at).to.equal(revoked.revoked_at);
  });

  it('may revoke themselves', async () => {
    await client.send('DELETE', `${PATH}/${manager.id}`, undefined, { expect: 200 });
    await until(async () => (await client.get(PATH)).status === 401, 'it is refused');
  });

  it('grant no scope that they lack', async () => {
    const limited = await service.client({ storeId: manager.storeId, scopes: ['keys:manage', 'events:read'] });
    const { error } = (
      await limited.post(PATH, { name: 'x', scopes: ['events:read', 'events:write'] }, { expect: 403 })
    ).body;
    expect(error.code).to.equal('forbidden');
    expect(error.message).to.include('events:write');
    await limited.post(PATH, { name: 'x', scopes: ['keys:manage', 'events:read'] }, { expect: 201 });
  });

  it('create no key that outlives them', async () => {
    const expiresAt = new Date(Date.now() + 1e7);
    const temporary = await service.client({ storeId: manager.storeId, expiresAt });
    const key = { name: 'x', scopes: ['events:read'] };
    expect(await refused(key, temporary)).to.equal('expires_at');
    expect(await refused({ ...key, expires_at: new Date(Date.now() + 2e7).toISOString() }, temporary)).to.equal(
      'expires_at',
    );
    await temporary.post(PATH, { ...key, expires_at: expiresAt.toISOString() }, { expect: 201 });
  });

  it('are limited to 100 in use, even if many are created concurrently', async () => {
    const body = { name: 'x', scopes: ['events:read'] };
    await service.database.query(`
      insert into api_key (id, store_id, name, hash, scopes, tier)
      select uuidv7(), '${manager.storeId}', 'x', sha256(uuidv7()::text::bytea), '{}', 'standard'
      from generate_series(1, 89)`);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.post(PATH, body)));
    expect(answers.filter(({ status }) => status === 201)).to.have.length(10);
    expect(answers.filter(({ status }) => status === 400)).to.have.length(10);
    const created = answers.find(({ status }) => status === 201);
    await client.send('DELETE', `${PATH}/${created?.body.api_key.id}`, undefined, { expect: 200 });
    await create(body);
  });

  it('can only be created with valid fields, otherwise the error names the field', async () => {
    const key = { name: 'x', scopes: ['events:read'] };
    expect(await refused({ ...key, name: '' })).to.equal('name');
    expect(await refused({ ...key, name: 'x'.repeat(101) })).to.equal('name');
    for (const name of ['a\0b', 'a\nb', '\x1b[2J', 'a\x7f', '\x9b1m', 'a\u202eb', 'a\u2028b', 'a\u2066b']) {
      expect(await refused({ ...key, name }), JSON.stringify(name)).to.equal('name');
    }
    await create({ ...key, name: '店 “Ünïcode” 👩‍🚀 – 1' });
    expect(await refused({ ...key, scopes: [] })).to.equal('scopes');
    expect(await refused({ ...key, scopes: ['events:read', 'events:read'] })).to.equal('scopes');
    expect(await refused({ ...key, scopes: ['everything'] })).to.equal('scopes[0]');
    expect(await refused({ ...key, expires_at: '2020-01-01T00:00:00Z' })).to.equal('expires_at');
    expect(await refused({ ...key, expires_at: 'soon' })).to.equal('expires_at');
    expect(await refused({ ...key, tier: 'partner' })).to.equal('tier');
    expect(await refused({ name: 'x' })).to.equal('scopes');
  });
});
