import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { signedIn } from '../support/people.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const SECRET = 'of the client of the café';
const GIVEN = {
  issuer: 'https://login.example.com/realms/shop',
  client_id: 'footfall',
  client_secret: SECRET,
  role_rules: [{ group: 'a', role: 'admin' }],
  domains: ['Example.com', 'example.com'],
};

describe('The identity provider of a store', () => {
  let service: TestService;
  let owner: Client;
  let key: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1', RATE_LIMIT_TIERS: 'standard=100000,one=1' });
  });
  after(() => service.stop());
  beforeEach(async () => {
    storeId = await service.newStore();
    key = await service.client({ storeId });
    owner = key.inBrowser((await signedIn(service, storeId, 'owner')).headers);
  });

  const json = { 'Content-Type': 'application/json' };
  const put = (given: unknown, by: Client = owner) =>
    by.send<any>('PUT', '/v1/identity-provider', JSON.stringify(given), { headers: json });
  const remove = (by: Client = owner) => by.send<any>('DELETE', '/v1/identity-provider', undefined);
  const get = (by: Client = owner) => by.get<any>('/v1/identity-provider');

  describe('PUT /v1/identity-provider', () => {
    it('sets it, and shows the secret never again', async () => {
      const { status, body } = await put(GIVEN);
      expect(status).to.equal(200);
      const path = `${service.url}/dashboard/sign-in/${storeId}`;
      expect(body).to.deep.include({
        ...{ issuer: GIVEN.issuer, client_id: 'footfall', groups_claim: 'groups', role_rules: GIVEN.role_rules },
        ...{ domains: ['example.com'], default_role: null, sso_only: false, break_glass_id: null },
        ...{ sign_in_url: path, callback_url: `${path}/callback` },
      });
      expect((await get()).body).to.deep.equal(body);
      expect(JSON.stringify(body)).not.to.contain(SECRET);
      const [row] = await service.database.query<{ text: string }>(
        `select to_jsonb(i)::text as text from identity_provider i where store_id = '${storeId}'`,
      );
      expect(row?.text).not.to.contain(SECRET);
      const { body: log } = await key.get<any>('/v1/audit-entries?operation=setIdentityProvider', { expect: 200 });
      expect(log.entries[0]).to.deep.include({ outcome: 'done' });
      expect(log.entries[0].fields).to.include('client_secret');
      expect(JSON.stringify(log)).not.to.contain(SECRET);
    });

    it('keeps the secret where none is sent, but for another issuer or client', async () => {
      const { client_secret: _, ...without } = GIVEN;
      expect((await put(without)).body.error.field).to.equal('client_secret');
      const { body: first } = await put(GIVEN);
      const { status, body } = await put({ ...without, domains: [], default_role: 'support' });
      expect([status, body.domains, body.default_role, body.created_at]).to.deep.equal([
        200,
        [],
        'support',
        first.created_at,
      ]);
      for (const other of [{ client_id: 'x' }, { issuer: 'https://evil.example.com' }]) {
        const refused = await put({ ...without, ...other });
        expect([refused.status, refused.body.error.field]).to.deep.equal([400, 'client_secret']);
      }
    });

    it('refuses what is not an issuer that may be asked, and what is none of the settings', async () => {
      for (const [field, value] of [
        ['issuer', 'login.example.com'],
        ['issuer', 'http://login.example.com'],
        ['issuer', 'https://login.example.com?x=1'],
        ['issuer', 'https://login.example.com#x'],
        ['issuer', 'https://127.0.0.1'],
        ['issuer', 'https://localhost'],
        ['issuer', 'https://a:b@login.example.com'],
        ['client_id', ''],
        ['client_secret', ''],
        ['groups_claim', ''],
        ['domains[0]', ['a b']],
        ['domains[0]', ['a@example.com']],
        ['role_rules[0].role', [{ group: 'a', role: 'owner' }]],
        ['default_role', 'owner'],
        ['break_glass_id', 'x'],
      ] as const) {
        const name = field.replace(/\[.*/, '');
        const { status, body } = await put({ ...GIVEN, [name]: value });
        expect([status, body.error.code, body.error.field], `${field} ${value}`).to.deep.equal([
          400,
          'validation_error',
          field,
        ]);
      }
      expect((await get()).status).to.equal(404);
    });

    it('takes it from owners who are signed in alone', async () => {
      const admin = await signedIn(service, storeId, 'admin');
      for (const by of [key, key.inBrowser(admin.headers)]) {
        expect((await put(GIVEN, by)).status).to.equal(403);
        expect((await remove(by)).status).to.equal(403);
        expect((await get(by)).status).to.equal(404);
      }
      const reader = await service.client({ storeId, scopes: ['events:read'] });
      const stranger = key.inBrowser({});
      const one = await service.client({ storeId, tier: 'one' });
      await get(one);
      for (const send of [(by: Client) => put(GIVEN, by), get, remove]) {
        expect((await send(reader)).status).to.equal(403);
        expect((await send(stranger)).status).to.equal(401);
        expect((await send(one)).status).to.equal(429);
      }
    });
  });

  describe('GET /v1/identity-provider', () => {
    it('shows it to whoever may see the settings, and that of no other store', async () => {
      expect((await get(key)).body.error.code).to.equal('not_found');
      const { body } = await put(GIVEN);
      expect((await get(key)).body).to.deep.equal(body);
      expect((await get(await service.client())).status).to.equal(404);
    });
  });

  describe('DELETE /v1/identity-provider', () => {
    it('removes it, once', async () => {
      const { body } = await put(GIVEN);
      const removed = await remove();
      expect([removed.status, removed.body]).to.deep.equal([200, body]);
      expect((await remove()).status).to.equal(404);
      await until(async () => (await get()).status === 404, 'it is gone');
    });
  });
});
