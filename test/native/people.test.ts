import { expect } from 'chai';
import { SCOPES } from '../../src/domain/caller.ts';
import { ROLES, scopesOfRole } from '../../src/domain/people/roles.ts';
import type { Client } from '../support/client.ts';
import { addPerson, Browser, invitationTo, PASSWORD, signedIn } from '../support/people.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const GONE = '01936b2e-9f00-7b11-8d02-6a7c55e0c401';

describe('People of a store', () => {
  let service: TestService;
  let client: Client;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1' });
  });
  after(() => service.stop());
  beforeEach(async () => {
    storeId = await service.newStore();
    client = await service.client({ storeId });
  });

  const email = (name: string) => `${name}-${storeId}@example.com`;
  const add = (name: string, role: (typeof ROLES)[number]) =>
    addPerson(service, storeId, { name, role, email: email(name) });
  const stays = async (browser: Browser) => (await browser.send('GET', '/v1/session')).status === 200;

  describe('GET /v1/session', () => {
    it('says which key makes the request', async () => {
      const key = await service.newKey({ storeId, name: 'Till', scopes: ['events:read'] });
      const { body } = await client.as(key.key).get<any>('/v1/session', { expect: 200 });
      expect(body).to.deep.include({ kind: 'key', id: key.id, name: 'Till', email: null, role: null, stores: [] });
      expect([body.scopes, body.store.id]).to.deep.equal([['events:read'], storeId]);
    });

    it('says which person does, and in which stores', async () => {
      const browser = await signedIn(service, storeId, 'support');
      const { body } = await browser.send('GET', '/v1/session');
      expect(body).to.deep.include({
        kind: 'person',
        name: 'Somebody in support',
        email: browser.email,
        role: 'support',
      });
      expect(body.scopes).to.have.members([...scopesOfRole('support')]);
      expect(body.stores.map(({ id, role }: any) => [id, role])).to.deep.equal([[storeId, 'support']]);
      const asKey = await browser.send('GET', '/v1/api-keys/current');
      expect([asKey.status, asKey.body.error.code]).to.deep.equal([400, 'validation_error']);
    });
  });

  describe('GET /v1/people', () => {
    it('lists them page by page, newest first, and those of no other store', async () => {
      const ids = [await add('ada', 'owner'), await add('ben', 'analyst'), await add('cleo', 'support')];
      await addPerson(service, await service.newStore(), { name: 'x', role: 'owner', email: email('x') });
      const first = (await client.get<any>('/v1/people?limit=2', { expect: 200 })).body;
      const { body: second } = await client.get<any>(`/v1/people?limit=2&cursor=${first.next_cursor}`, { expect: 200 });
      expect([...first.people, ...second.people].map(({ id }: any) => id)).to.deep.equal(ids.reverse());
      expect(second.next_cursor).to.equal(null);
      expect(second.people[0]).to.deep.include({ name: 'ada', role: 'owner', email: email('ada'), seen_at: null });
    });
  });

  describe('PATCH /v1/people/{id}', () => {
    it('gives another role, which ends the sessions within a second', async () => {
      const browser = await signedIn(service, storeId, 'marketer');
      const { id } = (await browser.send('GET', '/v1/session')).body;
      const { body } = await client.send<any>('PATCH', `/v1/people/${id}`, JSON.stringify({ role: 'analyst' }), {
        headers: { 'Content-Type': 'application/json' },
        expect: 200,
      });
      expect(body).to.deep.include({ id, role: 'analyst' });
      await until(async () => !(await stays(browser)), 'the session has ended');
      await browser.signIn(browser.email);
      expect((await browser.send('GET', '/v1/session')).body.role).to.equal('analyst');
    });

    it('leaves owners to owners, and one of them as it is', async () => {
      const owner = await signedIn(service, storeId, 'owner');
      const admin = await signedIn(service, storeId, 'admin');
      const ownerId = (await owner.send('GET', '/v1/session')).body.id;
      const adminId = (await admin.send('GET', '/v1/session')).body.id;
      const change = async (who: Browser, id: string, role: string) =>
        (await who.send('PATCH', `/v1/people/${id}`, { role })).status;
      expect(await change(admin, ownerId, 'support')).to.equal(403);
      expect(await change(admin, adminId, 'owner')).to.equal(403);
      expect((await admin.send('DELETE', `/v1/people/${ownerId}`)).status).to.equal(403);
      expect(await change(owner, ownerId, 'admin')).to.equal(400);
      expect((await owner.send('DELETE', `/v1/people/${ownerId}`)).status).to.equal(400);
      expect(await change(owner, adminId, 'owner')).to.equal(200);
      expect(await change(owner, ownerId, 'admin')).to.equal(200);
    });

    it('keeps an owner where two give way to one another at the same time', async () => {
      const owners = await Promise.all([signedIn(service, storeId, 'owner'), signedIn(service, storeId, 'owner')]);
      const ids = await Promise.all(owners.map(async (one) => (await one.send('GET', '/v1/session')).body.id));
      await Promise.all(owners.map((one, n) => one.send('DELETE', `/v1/people/${ids[1 - n]}`)));
      const { people } = (await client.get<any>('/v1/people')).body;
      expect(people.filter(({ role }: any) => role === 'owner')).to.have.length(1);
    });

    it('knows nobody of another store', async () => {
      const other = await addPerson(service, await service.newStore(), {
        name: 'x',
        role: 'support',
        email: email('x'),
      });
      for (const id of [other, GONE, 'x']) {
        const body = JSON.stringify({ role: 'analyst' });
        const headers = { 'Content-Type': 'application/json' };
        await client.send('PATCH', `/v1/people/${id}`, body, { headers, expect: 404 });
        await client.send('DELETE', `/v1/people/${id}`, undefined, { expect: 404 });
      }
    });
  });

  describe('DELETE /v1/people/{id}', () => {
    it('ends the sessions in the store, and the person can not come back to it', async () => {
      const browser = await signedIn(service, storeId, 'marketer');
      const { id } = (await browser.send('GET', '/v1/session')).body;
      await client.send('DELETE', `/v1/people/${id}`, undefined, { expect: 200 });
      await until(async () => !(await stays(browser)), 'the session has ended');
      expect((await browser.signIn(browser.email)).status).to.equal(401);
    });
  });

  describe('POST /v1/people/{id}/password-reset', () => {
    const NEXT = 'another way to the sea';
    const idOf = async (browser: Browser) => (await browser.send('GET', '/v1/session')).body.id as string;
    const reset = async (id: string) =>
      (await client.post<any>(`/v1/people/${id}/password-reset`, undefined, { expect: 200 })).body.link.split('#')[1];
    const choose = (token: string, password = NEXT) =>
      new Browser(service.url).send('POST', '/dashboard/reset/password', { token, password });

    it('makes a link by which the person chooses another password, once, which ends all sessions', async () => {
      const ben = await signedIn(service, storeId, 'analyst');
      const void_ = await reset(await idOf(ben));
      const { body } = await client.post<any>(`/v1/people/${await idOf(ben)}/password-reset`, undefined, {
        expect: 200,
      });
      expect(body.link).to.match(new RegExp(`^${service.url}/dashboard/reset#[\\w-]{43}$`));
      expect(Date.parse(body.expires_at) - Date.now()).to.be.within(3_500_000, 3_600_000);
      const token = body.link.split('#')[1];
      expect((await choose(void_)).status).to.equal(404);
      const shown = await new Browser(service.url).send('POST', '/dashboard/reset', { token });
      expect(shown.body).to.deep.equal({ email: ben.email });
      expect((await choose(token, 'short')).body.error.field).to.equal('password');
      expect(await stays(ben)).to.equal(true);
      expect((await choose(token)).status).to.equal(204);
      await until(async () => !(await stays(ben)), 'the session has ended');
      const { entries } = (await client.get<any>('/v1/audit-entries?operation=choosePassword', { expect: 200 })).body;
      expect(entries.map((entry: any) => [entry.outcome, entry.fields])).to.deep.equal([
        ['done', ['password']],
        ['refused', ['password']],
      ]);
      expect((await choose(token)).status).to.equal(404);
      expect((await new Browser(service.url).signIn(ben.email)).status).to.equal(401);
      expect((await new Browser(service.url).signIn(ben.email, NEXT)).status).to.equal(204);
    });

    it('makes one that ends after an hour, with the membership, and with that of who has made it', async () => {
      const admin = await signedIn(service, storeId, 'admin');
      const ben = await signedIn(service, storeId, 'analyst');
      const [id, adminId] = [await idOf(ben), await idOf(admin)];
      const expired = await reset(id);
      await service.database.query("update password_reset set expires_at = now() - interval '1 second'");
      expect((await choose(expired)).status).to.equal(404);
      const made = await admin.send('POST', `/v1/people/${id}/password-reset`);
      await client.send('DELETE', `/v1/people/${adminId}`, undefined, { expect: 200 });
      expect((await choose(made.body.link.split('#')[1])).status).to.equal(404);
      const gone = await reset(id);
      await client.send('DELETE', `/v1/people/${id}`, undefined, { expect: 200 });
      expect((await choose(gone)).status).to.equal(404);
    });

    it('makes none for owners by others, for roles with more scopes than the key, and for whoever asks', async () => {
      const owner = await signedIn(service, storeId, 'owner');
      const admin = await signedIn(service, storeId, 'admin');
      const few = await service.client({ storeId, scopes: ['settings:manage', 'reports:read'] });
      for (const path of ['password-reset', 'second-factor']) {
        const method = path === 'second-factor' ? 'DELETE' : 'POST';
        const by = async (browser: Browser, id: string) =>
          (await browser.send(method, `/v1/people/${id}/${path}`)).status;
        expect(await by(admin, await idOf(owner))).to.equal(403);
        expect(await by(admin, await idOf(admin))).to.equal(400);
        expect(await by(owner, await idOf(admin))).to.equal(200);
        await few.send(method, `/v1/people/${await idOf(owner)}/${path}`, undefined, { expect: 403 });
        expect(await by(owner, GONE)).to.equal(404);
        const stranger = await signedIn(service, await service.newStore(), 'owner');
        expect(await by(stranger, await idOf(owner))).to.equal(404);
      }
      const ofAdmin = await signedIn(service, storeId, 'admin');
      await few.post(`/v1/people/${await idOf(ofAdmin)}/password-reset`, undefined, { expect: 403 });
    });

    it('is of no use for somebody who is in another store too, or has come into one since', async () => {
      const ben = await signedIn(service, storeId, 'analyst');
      const id = await idOf(ben);
      const token = await reset(id);
      const other = await service.newStore();
      expect((await ben.accept(await invitationTo(service, other, 'owner', ben.email), {})).status).to.equal(204);
      expect((await choose(token)).status).to.equal(404);
      await client.post(`/v1/people/${id}/password-reset`, undefined, { expect: 400 });
      await client.send('DELETE', `/v1/people/${id}/second-factor`, undefined, { expect: 400 });
    });
  });

  describe('DELETE /v1/people/{id}/second-factor', () => {
    const idOf = async (browser: Browser) => (await browser.send('GET', '/v1/session')).body.id as string;
    const hasFactor = async (id: string) =>
      (await client.get<any>('/v1/people')).body.people.find((person: any) => person.id === id).has_second_factor;

    it('takes it away, and ends the sessions', async () => {
      const ben = await signedIn(service, storeId, 'analyst');
      const id = await idOf(ben);
      await service.database.query(`
        insert into second_factor values ('${id}', 'sealed', 0, now(), now());
        insert into recovery_code values ('${id}', 'x')`);
      expect(await hasFactor(id)).to.equal(true);
      expect((await new Browser(service.url).signIn(ben.email)).body).to.deep.equal({ second_factor: true });
      const { body } = await client.send<any>('DELETE', `/v1/people/${id}/second-factor`, undefined, { expect: 200 });
      expect([body.id, body.has_second_factor]).to.deep.equal([id, false]);
      await until(async () => !(await stays(ben)), 'the session has ended');
      expect((await ben.signIn(ben.email)).status).to.equal(204);
      await client.send('DELETE', `/v1/people/${id}/second-factor`, undefined, { expect: 200 });
      expect(await service.database.query(`select from recovery_code where person_id = '${id}'`)).to.deep.equal([]);
    });
  });

  describe('A store that requires a second factor', () => {
    const require = (browser: Browser, required: boolean) =>
      browser.send('PATCH', '/v1/store', { requires_second_factor: required });

    it('is made one by an owner alone', async () => {
      const change = { headers: { 'Content-Type': 'application/json' }, expect: 403 };
      const body = JSON.stringify({ requires_second_factor: true, orders: { placed_types: ['bought'] } });
      await client.send('PATCH', '/v1/store', body, change);
      expect((await require(await signedIn(service, storeId, 'admin'), true)).status).to.equal(403);
      const { body: store } = await client.get<any>('/v1/store', { expect: 200 });
      expect([store.requires_second_factor, store.orders.placed_types]).to.deep.equal([false, ['placed_order']]);
    });

    it('lets people without one do nothing but set one up', async () => {
      const owner = await signedIn(service, storeId, 'owner');
      const ben = await signedIn(service, storeId, 'analyst');
      expect((await require(owner, true)).body.requires_second_factor).to.equal(true);
      const isRefused = async () => (await ben.send('GET', '/v1/reports/revenue')).status === 403;
      await until(isRefused, 'the person may not read what the role may');
      const { body: session } = await ben.send('GET', '/v1/session');
      expect([session.lacks_second_factor, session.scopes]).to.deep.equal([true, []]);
      const { body } = await ben.send('GET', '/v1/automations');
      expect(body.error.message).to.contain('second factor');
      const { status } = await ben.send('POST', '/dashboard/account/second-factor', { password: PASSWORD });
      expect(status).to.equal(200);
      await service.database.query(`update second_factor set enabled_at = now() where person_id = '${session.id}'`);
      await until(async () => (await ben.send('GET', '/v1/automations')).status === 200, 'the person may');
      await client.get('/v1/people', { expect: 200 });
    });
  });

  describe('POST and GET /v1/invitations, DELETE /v1/invitations/{id}', () => {
    it('invites no address that is shown in another order than it is written', async () => {
      for (const given of ['ada\u202e@example.com', 'ada@\u2066example.com']) {
        const { body } = await client.post<any>('/v1/invitations', { email: given, role: 'analyst' }, { expect: 400 });
        expect(body.error.field).to.equal('email');
      }
    });

    const tokenOf = ({ body }: { body: any }) => body.link.split('#')[1];
    const join = async (input: object, by: { post: Client['post'] } = client) => {
      const token = tokenOf(await by.post<any>('/v1/invitations', input, { expect: 201 }));
      const browser = new Browser(service.url);
      expect((await browser.accept(token, { name: 'New' })).status).to.equal(204);
      return browser;
    };
    const roles = async () =>
      (await client.get<any>('/v1/people', { expect: 200 })).body.people.map(({ role }: any) => role);

    it('take no role from who has joined by another way meanwhile', async () => {
      const token = tokenOf(
        await client.post<any>('/v1/invitations', { email: email('boss'), role: 'analyst' }, { expect: 201 }),
      );
      const boss = new Browser(service.url);
      const given = { email: email('boss'), name: 'Boss' };
      expect((await boss.accept(await invitationTo(service, storeId, 'owner'), given)).status).to.equal(204);
      expect((await boss.accept(token, {})).status).to.equal(404);
      expect(await roles()).to.deep.equal(['owner']);
    });

    it('end with whom they are of, and with whom they are for', async () => {
      const admin = await join({ email: email('admin'), role: 'admin' });
      const mate = { email: email('mate'), role: 'analyst' };
      const first = tokenOf(await admin.send('POST', '/v1/invitations', { ...mate, role: 'admin' }));
      const second = tokenOf(await admin.send('POST', '/v1/invitations', mate));
      const other = tokenOf(await admin.send('POST', '/v1/invitations', { ...mate, email: email('other') }));
      const browser = new Browser(service.url);
      expect((await browser.accept(second, { name: 'Mate' })).status).to.equal(204);
      const { id } = (await admin.send('GET', '/v1/session')).body;
      await client.send('DELETE', `/v1/people/${id}`, undefined, { expect: 200 });
      for (const token of [first, other]) expect((await browser.accept(token, { name: 'Mate' })).status).to.equal(404);
      expect(await roles()).to.deep.equal(['analyst']);
    });

    it('are made by nobody who was just removed', async () => {
      const admin = await join({ email: email('admin'), role: 'admin' });
      const { id } = (await admin.send('GET', '/v1/session')).body;
      await client.send('DELETE', `/v1/people/${id}`, undefined, { expect: 200 });
      const { status } = await admin.send('POST', '/v1/invitations', { email: email('back'), role: 'admin' });
      expect(status).to.be.oneOf([401, 403]);
      expect((await client.get<any>('/v1/invitations')).body.invitations).to.deep.equal([]);
    });

    it('are by keys to roles alone whose scopes they have, and to no owner', async () => {
      const few = await service.client({ storeId, scopes: ['settings:manage', 'reports:read'] });
      for (const role of ['owner', 'admin', 'support'] as const)
        await few.post('/v1/invitations', { email: email('eve'), role }, { expect: 403 });
      const change = { headers: { 'Content-Type': 'application/json' }, expect: 403 };
      await few.send('PATCH', `/v1/people/${await add('cleo', 'analyst')}`, JSON.stringify({ role: 'admin' }), change);
      const owner = await signedIn(service, storeId, 'owner');
      const made = await owner.send('POST', '/v1/invitations', { email: email('too'), role: 'owner' });
      await client.send('DELETE', `/v1/invitations/${made.body.invitation.id}`, undefined, { expect: 403 });
    });

    it('makes a link by which one person joins, once', async () => {
      const { body } = await client.post<any>(
        '/v1/invitations',
        { email: email('Dan'), role: 'analyst' },
        { expect: 201 },
      );
      expect(body.link).to.match(new RegExp(`^${service.url}/dashboard/invitation#[\\w-]{43}$`));
      const { invitations } = (await client.get<any>('/v1/invitations', { expect: 200 })).body;
      expect(invitations).to.deep.equal([body.invitation]);
      expect(body.invitation.email).to.equal(email('dan').toLowerCase());
      const token = body.link.split('#')[1];
      const browser = await signedIn(service, storeId, 'support');
      const answered = await browser.send('POST', '/dashboard/invitation', { token });
      expect(answered.body).to.deep.include({ email: body.invitation.email, role: 'analyst' });
      await browser.send('DELETE', '/dashboard/session');
      expect((await browser.accept(token, { name: 'Dan', email: 'other@example.com' })).status).to.equal(204);
      expect((await browser.send('GET', '/v1/session')).body.email).to.equal(body.invitation.email);
      expect((await client.get<any>('/v1/invitations')).body.invitations).to.deep.equal([]);
      expect((await browser.accept(token, { name: 'Dan' })).status).to.equal(404);
    });

    it('is made once for one key, and its link is shown once', async () => {
      const asked = { email: email('f'), role: 'support', idempotency_key: 'f' };
      const { body: made } = await client.post<any>('/v1/invitations', asked, { expect: 201 });
      const again = await client.post<any>('/v1/invitations', asked, { expect: 201 });
      expect(again.headers['idempotency-replayed']).to.equal('true');
      expect(again.body).to.deep.equal({ link: null, invitation: made.invitation });
      expect((await client.get<any>('/v1/invitations')).body.invitations).to.have.length(1);
      expect((await client.post('/v1/invitations', { ...asked, role: 'admin' })).status).to.equal(400);
    });

    it('is of no use once it is revoked', async () => {
      const { body } = await client.post<any>('/v1/invitations', { email: email('e'), role: 'admin' }, { expect: 201 });
      const path = `/v1/invitations/${body.invitation.id}`;
      await client.send('DELETE', path, undefined, { expect: 200 });
      await client.send('DELETE', path, undefined, { expect: 404 });
      const browser = await signedIn(service, storeId, 'support');
      expect((await browser.accept(body.link.split('#')[1], { name: 'E' })).status).to.equal(404);
    });

    it('is refused for members, for owners by others than owners, and for the 101st', async () => {
      const invite = (role: string, to: string) => client.post<any>('/v1/invitations', { email: to, role });
      await add('ada', 'support');
      expect((await invite('analyst', email('ADA'))).body.error).to.include({
        code: 'validation_error',
        field: 'email',
      });
      expect((await invite('owner', email('o'))).status).to.equal(403);
      const admin = await signedIn(service, storeId, 'admin');
      const asked = { email: email('o'), role: 'owner' };
      expect((await admin.send('POST', '/v1/invitations', asked)).status).to.equal(403);
      const owner = await signedIn(service, storeId, 'owner');
      expect((await owner.send('POST', '/v1/invitations', asked)).status).to.equal(201);
      await service.database.query(`
        insert into invitation select store_id, gen_random_uuid(), sha256(n::text::bytea || store_id::text::bytea), email,
          role, invited_by, created_at, expires_at
        from invitation, generate_series(1, 99) n where store_id = '${storeId}'`);
      expect((await invite('analyst', email('last'))).status).to.equal(400);
    });
  });

  it('may what their roles permit, and no more', async () => {
    expect(scopesOfRole('owner')).to.deep.equal(new Set(SCOPES));
    expect(scopesOfRole('admin')).to.deep.equal(new Set(SCOPES));
    for (const role of ROLES) for (const scope of scopesOfRole(role)) expect(SCOPES).to.include(scope);
    for (const role of ['marketer', 'analyst', 'support'] as const)
      for (const scope of ['keys:manage', 'settings:manage']) expect(scopesOfRole(role).has(scope)).to.equal(false);
  });

  it('are named in the history of customers', async () => {
    await client.send('PATCH', '/v1/store', JSON.stringify({ history_days: 30 }), {
      headers: { 'Content-Type': 'application/json' },
      expect: 200,
    });
    const browser = await signedIn(service, storeId, 'support');
    const { id: personId } = (await browser.send('GET', '/v1/session')).body;
    const profile = await browser.send('POST', '/v1/profiles/upsert', { identifiers: { email: 'c@example.com' } });
    expect(profile.status).to.equal(201);
    const { changes } = (await client.get<any>(`/v1/profiles/${profile.body.id}/history`, { expect: 200 })).body;
    expect(changes[0].source).to.deep.include({ actor: personId, actor_name: 'Somebody in support' });
  });
});
