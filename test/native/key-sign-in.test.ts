import { expect } from 'chai';
import { EventStream } from '../support/event-stream.ts';
import { Browser, signedIn } from '../support/people.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('Keys and those who have made them', () => {
  let service: TestService;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1' });
  });
  after(() => service.stop());
  beforeEach(async () => {
    storeId = await service.newStore();
  });

  it('say who that was, by the name of then', async () => {
    const { id, key } = await service.newKey({ storeId, name: 'Till' });
    const client = (await service.client()).as(key);
    const input = (name: string) => ({ name, scopes: ['events:write'] });
    const { body } = await client.post<any>('/v1/api-keys', input('By a key'), { expect: 201 });
    expect(body.api_key.created_by).to.deep.equal({ kind: 'key', id, name: 'Till' });
    const browser = await signedIn(service, storeId, 'admin');
    const person = (await browser.send('GET', '/v1/session')).body;
    expect((await browser.send('POST', '/v1/api-keys', input('By a person'))).status).to.equal(201);
    const { api_keys: keys } = (await client.get<any>('/v1/api-keys', { expect: 200 })).body;
    expect(keys.map(({ created_by }: any) => created_by)).to.deep.equal([
      { kind: 'person', id: person.id, name: 'Somebody in admin' },
      { kind: 'key', id, name: 'Till' },
      { kind: 'operator', id: null, name: null },
    ]);
  });

  it('have no scope that those lack, all of which are named', async () => {
    const client = await service.client({ storeId, scopes: ['keys:manage', 'events:read'] });
    const scopes = ['events:read', 'events:write', 'profiles:read'];
    const { body } = await client.post<any>('/v1/api-keys', { name: 'Too much', scopes }, { expect: 403 });
    expect(body.error.message).to.equal(
      "The API key lacks the scopes events:write, profiles:read, so it can't grant them",
    );
  });

  describe('PATCH /v1/store with key_sign_in', () => {
    const set = (browser: Browser, key_sign_in: boolean) => browser.send('PATCH', '/v1/store', { key_sign_in });
    const signInWith = (key: string) => {
      const browser = new Browser(service.url);
      const headers = { Authorization: `Bearer ${key}` };
      return { browser, answer: browser.send('POST', '/dashboard/session', undefined, headers) };
    };

    it('ends sessions with keys and their streams, refuses new ones, and lets requests go on', async () => {
      const { key } = await service.newKey({ storeId });
      const { browser, answer } = signInWith(key);
      expect((await answer).status).to.equal(204);
      const isIn = async () => (await browser.send('GET', '/v1/session')).status === 200;
      expect(await isIn()).to.equal(true);
      const cookie = Array.from(browser.cookies, (pair) => pair.join('=')).join('; ');
      const shown = await fetch(`${service.url}/v1/events/stream`, {
        headers: { Cookie: cookie, 'X-Requested-With': 'footfall-dashboard' },
      });
      expect(shown.status).to.equal(200);
      const programs = await EventStream.open(service.url, key);

      const owner = await signedIn(service, storeId, 'owner');
      expect((await set(owner, false)).body.key_sign_in).to.equal(false);
      await until(async () => !(await isIn()), 'the session has ended');
      // It ends by itself.
      await shown.text().catch(() => {});
      expect((await signInWith(key).answer).status).to.equal(403);
      const client = (await service.client()).as(key);
      expect((await client.get<any>('/v1/store', { expect: 200 })).body.key_sign_in).to.equal(false);
      expect((await owner.send('GET', '/v1/session')).status).to.equal(200);
      programs.close();

      expect((await set(owner, true)).status).to.equal(200);
      await until(async () => (await signInWith(key).answer).status === 204, 'people sign in with it again');
    });

    it('is for owners, who have a password', async () => {
      const client = await service.client({ storeId });
      const headers = { 'Content-Type': 'application/json' };
      await client.send('PATCH', '/v1/store', '{"key_sign_in":false}', { headers, expect: 403 });
      const admin = await signedIn(service, storeId, 'admin');
      const refused = await admin.send('PATCH', '/v1/store', { key_sign_in: false, currency: 'EUR' });
      expect([refused.status, refused.body.error.code]).to.deep.equal([403, 'forbidden']);
      const { currency, key_sign_in } = (await client.get<any>('/v1/store')).body;
      expect([currency, key_sign_in]).to.deep.equal([null, true]);

      const owner = await signedIn(service, storeId, 'owner');
      await service.database.query(`update person set password = '' where email = '${owner.email}'`);
      const without = await set(owner, false);
      expect([without.status, without.body.error.field]).to.deep.equal([400, 'key_sign_in']);
    });
  });
});
