import { expect } from 'chai';
import { FakeProvider, REACHES_PROVIDERS, signInBy } from '../support/identity-provider.ts';
import { addPerson, Browser, invitationTo, PASSWORD, signedIn } from '../support/people.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

const IN = '/dashboard/signed-in#/dashboard';
const outFor = (reason: string) => `/dashboard/sign-in#${reason}`;

describe('Sign-in by an identity provider', () => {
  let service: TestService;
  let provider: FakeProvider;
  let storeId: string;
  let owner: Browser & { email: string };
  let ownerId: string;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1', ...REACHES_PROVIDERS });
  });
  after(() => service.stop());
  beforeEach(async () => {
    provider = await FakeProvider.start();
    storeId = await service.newStore();
    owner = await signedIn(service, storeId, 'owner');
    ownerId = (await session(owner)).body.id;
    await set({});
  });
  afterEach(() => provider.stop());

  const session = (browser: Browser) => browser.send('GET', '/v1/session');
  const isIn = async (browser: Browser) => (await session(browser)).status === 200;
  const set = async (settings: Record<string, unknown>, by: Browser = owner, issuer = provider.issuer) => {
    const body = { issuer, client_id: 'footfall', client_secret: 'of the client', ...settings };
    const answer = await by.send('PUT', '/v1/identity-provider', body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  };
  const verified = (email: string, more: Record<string, unknown> = {}) => ({
    ...{ sub: `sub of ${email}`, email, email_verified: true, name: `Name of ${email}` },
    ...more,
  });
  const signIn = (claims: Record<string, unknown>, browser = new Browser(service.url)) =>
    signInBy(provider, browser, storeId, claims);
  const comesIn = async (claims: Record<string, unknown>) => {
    const browser = new Browser(service.url);
    expect(await signIn(claims, browser)).to.equal(IN);
    return browser;
  };
  const roleOf = async (browser: Browser) => (await session(browser)).body.role;
  const entries = async (by: Browser = owner) =>
    (await by.send('GET', '/v1/audit-entries?operation=signInByProvider')).body.entries as any[];
  const invite = (email: string, role: 'analyst' | 'owner' | 'support' = 'analyst') =>
    invitationTo(service, storeId, role, email);

  describe('of somebody who comes for the first time', () => {
    it('takes whoever is invited with the address that is verified, once, and knows them by the subject from then on', async () => {
      await invite('ben@example.com');
      const browser = await comesIn(verified('Ben@Example.com'));
      const { body } = await session(browser);
      expect(body).to.deep.include({
        ...{ email: 'ben@example.com', name: 'Name of Ben@Example.com', role: 'analyst', by_identity_provider: true },
      });
      const other = await comesIn({ sub: 'sub of Ben@Example.com', name: 'Benjamin' });
      expect((await session(other)).body).to.deep.include({ id: body.id, name: 'Benjamin', email: 'ben@example.com' });
      expect((await owner.send('GET', '/v1/invitations')).body.invitations).to.deep.equal([]);
      expect(await signIn(verified('ben@example.com', { sub: 'another' }))).to.equal(outFor('other_account'));
      const { people } = (await owner.send('GET', '/v1/people')).body;
      expect(people.map((one: any) => [one.email, one.uses_identity_provider])).to.deep.equal([
        ['ben@example.com', true],
        [owner.email, false],
      ]);
      const log = await entries();
      expect(log.map(({ actor, outcome, fields }) => [actor.id, outcome, fields])).to.deep.equal([
        [null, 'refused', ['other_account']],
        [body.id, 'done', []],
        [body.id, 'done', ['person']],
      ]);
    });

    it('takes nobody whose address is not verified, who is not invited, or whom another store has invited', async () => {
      await invite('cleo@example.com');
      for (const unverified of [{ email_verified: false }, { email_verified: 'true' }, { email_verified: undefined }]) {
        const claims = verified('cleo@example.com', unverified);
        expect(await signIn(claims)).to.equal(outFor('email_not_verified'));
      }
      expect(await signIn(verified('dan@example.com'))).to.equal(outFor('not_invited'));
      await invitationTo(service, await service.newStore(), 'owner', 'dan@example.com');
      expect(await signIn(verified('dan@example.com'))).to.equal(outFor('not_invited'));
      for (const odd of [{ sub: '' }, { sub: 7 }, { sub: undefined }, { sub: 'x'.repeat(256) }]) {
        expect(await signIn(verified('cleo@example.com', odd)), JSON.stringify(odd)).to.equal(outFor('invalid'));
      }
    });

    it('takes a person of the store who has a password as that person, who keeps it', async () => {
      const browser = await comesIn(verified(owner.email));
      const { body } = await session(browser);
      expect([body.id, body.role, body.name]).to.deep.equal([ownerId, 'owner', 'Somebody in owner']);
      expect((await new Browser(service.url).signIn(owner.email)).status).to.equal(204);
    });

    it('takes people of a domain without an invitation only where that is set, with the role of a group or the default', async () => {
      const admins = {
        role_rules: [
          { group: 'admins', role: 'admin' },
          { group: 'all', role: 'support' },
        ],
      };
      await set({ ...admins, domains: ['Example.org'] });
      expect(await signIn(verified('eve@example.com', { groups: ['admins'] }))).to.equal(outFor('not_invited'));
      expect(await signIn(verified('eve@evil.example.org', { groups: ['admins'] }))).to.equal(outFor('not_invited'));
      expect(await signIn(verified('eve@example.org'))).to.equal(outFor('no_role'));
      expect(await roleOf(await comesIn(verified('eve@example.org', { groups: ['all', 'admins'] })))).to.equal('admin');
      expect(await roleOf(await comesIn(verified('fay@example.org', { groups: 'all' })))).to.equal('support');
      await set({ ...admins, domains: ['example.org'], default_role: 'analyst' });
      expect(await roleOf(await comesIn(verified('gus@example.org', { groups: [7, null] })))).to.equal('analyst');
    });
  });

  it('gives the role of the groups at each sign-in, ends what the former allowed, and leaves owners alone', async () => {
    await set({ role_rules: [{ group: 'admins', role: 'admin' }], groups_claim: 'teams' });
    await invite('ben@example.com', 'support');
    const before = await comesIn(verified('ben@example.com'));
    expect(await roleOf(before)).to.equal('support');
    expect(await roleOf(await comesIn(verified('ben@example.com', { teams: ['admins'] })))).to.equal('admin');
    await until(async () => !(await isIn(before)), 'the session in the former role has ended');
    expect((await entries())[0].fields).to.deep.equal(['role']);
    const after = await comesIn(verified('ben@example.com'));
    expect(await roleOf(after)).to.equal('support');
    const { id } = (await session(after)).body;
    expect((await owner.send('PATCH', `/v1/people/${id}`, { role: 'analyst' })).status).to.equal(200);
    expect(await roleOf(await comesIn(verified('ben@example.com')))).to.equal('analyst');
    expect(await roleOf(await comesIn(verified(owner.email, { teams: ['admins'] })))).to.equal('owner');
  });

  it('lets nobody in whom the store has removed, whatever the domain, until they are invited again', async () => {
    await set({ domains: ['example.com'], default_role: 'analyst' });
    const browser = await comesIn(verified('ben@example.com'));
    const { id } = (await session(browser)).body;
    expect((await owner.send('DELETE', `/v1/people/${id}`)).status).to.equal(200);
    await until(async () => !(await isIn(browser)), 'the session has ended');
    expect(await signIn(verified('ben@example.com'))).to.equal(outFor('not_invited'));
    await invite('ben@example.com', 'support');
    const again = await comesIn(verified('ben@example.com'));
    expect((await session(again)).body).to.deep.include({ id, role: 'support' });
  });

  it('binds an answer to the browser that has asked, the store, ten minutes and one use', async () => {
    await invite('ben@example.com');
    provider.claims = verified('ben@example.com');
    const begin = async () => {
      const browser = new Browser(service.url);
      const page = await browser.open(`/dashboard/sign-in/${storeId}`);
      const { pathname, search } = provider.approve(page);
      return { browser, path: `${pathname}${search}` };
    };
    const one = await begin();
    expect(await new Browser(service.url).comeBack(one.path)).to.equal(outFor('expired'));
    const other = await begin();
    expect(await one.browser.comeBack(other.path)).to.equal(outFor('expired'));
    // What it had is forgotten by that.
    expect(await one.browser.comeBack(one.path)).to.equal(outFor('expired'));
    const cookie = new Map(other.browser.cookies);
    expect(await other.browser.comeBack(other.path)).to.equal(IN);
    const replaying = new Browser(service.url);
    for (const [name, value] of cookie) replaying.cookies.set(name, value);
    expect(await replaying.comeBack(other.path)).to.equal(outFor('expired'));
    const late = await begin();
    await service.database.query(`update provider_sign_in set expires_at = now() - interval '1 second'`);
    expect(await late.browser.comeBack(late.path)).to.equal(outFor('expired'));
    const elsewhere = await begin();
    const changed = elsewhere.path.replace(storeId, await service.newStore());
    expect(await elsewhere.browser.comeBack(changed)).to.equal(outFor('expired'));
    const stale = await begin();
    await set({ default_role: 'analyst' });
    expect(await stale.browser.comeBack(stale.path)).to.equal(outFor('expired'));
  });

  it('believes no other issuer, audience, nonce, time and signature, and no answer of another provider', async () => {
    await invite('ben@example.com');
    const second = Math.floor(Date.now() / 1000);
    for (const wrong of [
      ...[{ iss: 'http://127.0.0.1:1' }, { aud: 'another' }, { nonce: 'another' }, { nonce: undefined }],
      ...[{ exp: second - 120 }, { iat: undefined }, { aud: ['footfall', 'x'], azp: 'x' }],
    ]) {
      expect(await signIn(verified('ben@example.com', wrong)), JSON.stringify(wrong)).to.equal(outFor('invalid'));
    }
    provider.isForged = true;
    expect(await signIn(verified('ben@example.com'))).to.equal(outFor('invalid'));
    provider.isForged = false;
    const mixedUp = async (more: Record<string, string>) => {
      const browser = new Browser(service.url);
      provider.claims = verified('ben@example.com');
      const { pathname, search } = provider.approve(await browser.open(`/dashboard/sign-in/${storeId}`), more);
      return await browser.comeBack(`${pathname}${search}`);
    };
    expect(await mixedUp({ iss: 'https://other.example.com' })).to.equal(outFor('invalid'));
    provider.metadata = { authorization_response_iss_parameter_supported: true };
    await set({ domains: ['example.net'] });
    expect(await mixedUp({})).to.equal(outFor('invalid'));
    expect(await mixedUp({ iss: provider.issuer })).to.equal(IN);
  });

  it('says what a provider says and why it can not be asked, and writes that into the audit log', async () => {
    const answer = async (more: Record<string, string>) => {
      const browser = new Browser(service.url);
      const { pathname, search } = provider.approve(await browser.open(`/dashboard/sign-in/${storeId}`), more);
      return await browser.comeBack(`${pathname}${search}`);
    };
    expect(await answer({ error: 'access_denied' })).to.equal(outFor('refused'));
    provider.tokenError = { status: 401, body: { error: 'invalid_client' } };
    expect(await answer({})).to.equal(outFor('misconfigured'));
    provider.tokenError = { status: 200, body: 'x' };
    expect(await answer({})).to.equal(outFor('invalid'));
    provider.tokenError = { status: 302, body: {} };
    expect(await answer({})).to.equal(outFor('invalid'));
    const log = await entries();
    expect(log.map(({ outcome, fields }) => [outcome, fields])).to.deep.equal([
      ...['invalid', 'invalid', 'misconfigured', 'refused'].map((reason) => ['refused', [reason]]),
    ]);
    expect(await new Browser(service.url).open('/dashboard/sign-in/nobody')).to.equal(outFor('no_provider'));
    expect(await new Browser(service.url).open('/dashboard/sign-in/%00')).to.equal(outFor('no_provider'));
    const without = await service.newStore();
    expect(await new Browser(service.url).open(`/dashboard/sign-in/${without}`)).to.equal(outFor('no_provider'));
    provider.metadata = { issuer: 'https://other.example.com' };
    await set({ domains: ['example.net'] });
    expect(await new Browser(service.url).open(`/dashboard/sign-in/${storeId}`)).to.equal(outFor('invalid'));
    await set({}, owner, 'http://127.0.0.1:1');
    expect(await new Browser(service.url).open(`/dashboard/sign-in/${storeId}`)).to.equal(outFor('unreachable'));
  });

  it('asks a provider what it is once, and holds nobody up by one that is silent', async () => {
    const pages = await Promise.all(
      Array.from({ length: 5 }, () => new Browser(service.url).open(`/dashboard/sign-in/${storeId}`)),
    );
    expect(pages.every((page) => page.startsWith(provider.issuer))).to.equal(true);
    expect(provider.discoveries).to.equal(1);
    const silent = await FakeProvider.start();
    silent.isSilent = true;
    const other = await service.newStore();
    await set({}, await signedIn(service, other, 'owner'), silent.issuer);
    const waits = Array.from({ length: 45 }, () => new Browser(service.url).open(`/dashboard/sign-in/${other}`));
    // Twenty wait for it, twenty for these.
    expect(await Promise.any(waits)).to.equal(outFor('busy'));
    expect(silent.waiting).to.have.length(1);
    expect(await new Browser(service.url).open(`/dashboard/sign-in/${storeId}`)).to.contain(provider.issuer);
    await silent.stop();
    await Promise.all(waits);
  });

  it('has one address make so many attempts in a minute', async () => {
    const browser = new Browser(service.url);
    const pages: string[] = [];
    for (let n = 0; n < 61; n += 1) pages.push(await browser.open('/dashboard/sign-in/nobody'));
    expect(pages.filter((page) => page === outFor('busy'))).to.have.length(1);
  });

  it('leads back to a page of the dashboard, and nowhere else', async () => {
    await invite('ben@example.com');
    for (const [asked, found] of [
      ['/dashboard/people?x=1', '/dashboard/people?x=1'],
      ['https://evil.example.com/dashboard', '/dashboard'],
      ['//evil.example.com/dashboard', '/dashboard'],
      ['/\\evil.example.com', '/dashboard'],
      ['/dashboard/../evil', '/dashboard'],
      ['/dashboardx', '/dashboard'],
      ['/v1/store', '/dashboard'],
      ['javascript:alert(1)', '/dashboard'],
      [`/dashboard/${'x'.repeat(2_000)}`, '/dashboard'],
    ] as const) {
      const browser = new Browser(service.url);
      const page = await browser.open(`/dashboard/sign-in/${storeId}?return_to=${encodeURIComponent(asked)}`);
      provider.claims = verified('ben@example.com');
      const { pathname, search } = provider.approve(page);
      expect(await browser.comeBack(`${pathname}${search}`), asked).to.equal(`/dashboard/signed-in#${found}`);
    }
  });

  it('has an entry in the audit log before it changes anything', async () => {
    await invite('ben@example.com');
    const browser = new Browser(service.url);
    const { pathname, search } = provider.approve(await browser.open(`/dashboard/sign-in/${storeId}`));
    provider.isSilent = true;
    const answer = browser.comeBack(`${pathname}${search}`);
    await until(() => provider.waiting.length > 0, 'the provider to be asked');
    expect(await entries()).to.have.length(1);
    expect((await entries())[0]).to.deep.include({ fields: [] });
    expect((await entries())[0].ended_at).to.equal(null);
    await provider.stop();
    expect(await answer).to.equal(outFor('unreachable'));
    expect((await entries())[0]).to.deep.include({ outcome: 'refused', fields: ['unreachable'] });
  });

  it('asks whom a page of another site has led to it first, and nobody else', async () => {
    const name = `Löwe & Söhne ${storeId}`;
    await service.database.query(`update store set name = '${name}' where id = '${storeId}'`);
    const led = (site: string) =>
      new Browser(service.url, { 'Sec-Fetch-Site': site }).open(`/dashboard/sign-in/${storeId}`);
    for (const site of ['cross-site', 'same-site']) {
      expect(await led(site)).to.equal(outFor(`store=${encodeURIComponent(name)}`));
    }
    expect(provider.discoveries).to.equal(0);
    for (const site of ['none', 'same-origin']) expect(await led(site)).to.contain(provider.issuer);
  });

  describe('whose owner has it say what they like', () => {
    let victim: Browser & { email: string };
    let other: string;

    beforeEach(async () => {
      other = await service.newStore();
      victim = await signedIn(service, other, 'owner', `victim-${storeId}@example.com`);
    });

    it('reaches no other store of a person, and none of what the person has there', async () => {
      // The victim is also in the hostile store, with the password.
      const token = await invitationTo(service, storeId, 'analyst', victim.email);
      expect((await new Browser(service.url).accept(token, {})).status).to.equal(204);
      const hostile = await comesIn(verified(victim.email));
      const { body } = await session(hostile);
      expect([body.id, body.store.id]).to.deep.equal([(await session(victim)).body.id, storeId]);
      expect(body.stores.map(({ id }: any) => id)).to.deep.equal([storeId]);
      expect((await hostile.send('PUT', '/dashboard/session/store', { store_id: other })).status).to.be.oneOf([
        403, 404,
      ]);
      const account = await hostile.send('GET', '/dashboard/account');
      expect(account.body.by_provider).to.equal(true);
      expect(account.body.sessions).to.have.length(1);
      const all = (await victim.send('GET', '/dashboard/account')).body.sessions;
      for (const { id } of all.filter(({ user_agent }: any) => user_agent !== undefined)) {
        const isOwn = id === account.body.sessions[0].id;
        if (!isOwn) expect((await hostile.send('DELETE', `/dashboard/account/sessions/${id}`)).status).to.equal(404);
      }
      for (const [method, path, given] of [
        ['PUT', '/dashboard/account/name', { name: 'Mallory' }],
        ['PUT', '/dashboard/session/password', { current_password: PASSWORD, password: 'another long way home' }],
        ['POST', '/dashboard/account/second-factor', { password: PASSWORD }],
        ['PUT', '/dashboard/account/second-factor', { code: '123456' }],
        ['POST', '/dashboard/account/second-factor/removal', { password: PASSWORD, code: '123456' }],
        ['POST', '/dashboard/account/recovery-codes', { password: PASSWORD, code: '123456' }],
      ] as const) {
        expect((await hostile.send(method, path, given)).status, path).to.equal(403);
      }
      expect(
        await service.database.query('select from person_session where provider_store_id <> store_id'),
      ).to.have.length(0);
      // The browser is not known to have signed in with the password, and ends no session that has.
      expect([...hostile.cookies.keys()]).to.deep.equal(['footfall_person']);
      for (let n = 0; n < 25; n += 1) await comesIn(verified(victim.email));
      expect(await isIn(victim)).to.equal(true);
      expect((await session(victim)).body.stores).to.have.length(2);
    });

    it('makes nobody of another store a person of its own who is, and takes no address', async () => {
      await set({ domains: ['example.com'], default_role: 'admin' });
      const hostile = await comesIn(verified(victim.email));
      expect((await session(hostile)).body.id).not.to.equal((await session(victim)).body.id);
      expect((await session(hostile)).body.store.id).to.equal(storeId);
      const taken = `taken-${storeId}@example.com`;
      const { id } = (await session(await comesIn(verified(taken)))).body;
      const reset = await owner.send('POST', `/v1/people/${id}/password-reset`);
      expect([reset.status, reset.body.error.code]).to.deep.equal([400, 'validation_error']);
      expect((await new Browser(service.url).signIn(taken, '')).status).to.equal(400);
      expect((await new Browser(service.url).signIn(`${id}@provider.invalid`)).status).to.equal(401);
      // Whoever has the address joins another store as before.
      const joining = await signedIn(service, other, 'analyst', taken);
      expect((await session(joining)).body.id).not.to.equal(id);
    });
  });

  describe('alone', () => {
    it('signs out whoever has come otherwise, and lets one owner in by the password', async () => {
      await invite('ben@example.com', 'support');
      const ben = await signedIn(service, storeId, 'analyst');
      const benId = (await session(ben)).body.id;
      const elsewhere = await service.newStore();
      const token = await invitationTo(service, elsewhere, 'support', ben.email);
      const wrong = { issuer: provider.issuer, client_id: 'footfall', sso_only: true };
      const refused = async (given: object, field: string) => {
        const { status, body } = await owner.send('PUT', '/v1/identity-provider', { ...wrong, ...given });
        expect([status, body.error.field]).to.deep.equal([400, field]);
      };
      await refused({}, 'break_glass_id');
      await refused({ break_glass_id: benId }, 'break_glass_id');
      const without = await addPerson(service, storeId, {
        name: 'x',
        role: 'owner',
        email: `x-${storeId}@example.com`,
      });
      await refused({ break_glass_id: without }, 'break_glass_id');
      const { body } = await owner.send('PUT', '/v1/identity-provider', { ...wrong, break_glass_id: ownerId });
      expect(body).to.deep.include({ sso_only: true, break_glass_id: ownerId });
      await until(async () => !(await isIn(ben)), 'who has come by a password is signed out');
      expect(await isIn(owner)).to.equal(true);
      const again = new Browser(service.url);
      const { status, body: said } = await again.signIn(ben.email);
      expect([status, said.error.code]).to.deep.equal([403, 'forbidden']);
      await until(async () => {
        const { body: log } = await owner.send('GET', '/v1/audit-entries?operation=signIn');
        return log.entries.some((one: any) => one.outcome === 'refused' && one.status === 403 && one.target === benId);
      }, 'the audit log has it');
      expect((await again.signIn(ben.email, 'not the right one')).status).to.equal(401);
      expect((await new Browser(service.url).signIn(owner.email)).status).to.equal(204);
      const key = await service.newKey({ storeId });
      const byKey = await new Browser(service.url).send('POST', '/dashboard/session', undefined, {
        Authorization: `Bearer ${key.key}`,
      });
      expect(byKey.status).to.equal(403);
      expect(await roleOf(await comesIn(verified(ben.email)))).to.equal('analyst');
      const joining = await new Browser(service.url).accept(await invite('dan@example.com'), { name: 'Dan' });
      expect(joining.status).to.equal(403);
      // In another store, the same person does as before, and can not come over.
      expect((await again.accept(token, {})).status).to.equal(204);
      expect((await again.send('PUT', '/dashboard/session/store', { store_id: storeId })).status).to.equal(404);
      for (const [method, given] of [
        ['PATCH', { role: 'admin' }],
        ['DELETE', undefined],
      ] as const) {
        const { status: kept } = await owner.send(method, `/v1/people/${ownerId}`, given);
        expect(kept).to.equal(400);
      }
    });

    it('lets whoever has a link of the operator in by the password, instead of the one of before', async () => {
      await set({ sso_only: true, break_glass_id: ownerId });
      const rescuer = new Browser(service.url);
      const token = await invitationTo(service, storeId, 'owner');
      const given = { name: 'Rescuer', email: `rescuer-${storeId}@example.com` };
      expect((await rescuer.accept(token, given)).status).to.equal(204);
      expect(await isIn(rescuer)).to.equal(true);
      await until(async () => !(await isIn(owner)), 'the one of before is signed out');
    });
  });

  it('needs no second factor beside what the provider asks for', async () => {
    await invite('ben@example.com');
    const browser = await comesIn(verified('ben@example.com'));
    await owner.send('PATCH', '/v1/store', { requires_second_factor: true });
    await until(async () => (await session(owner)).body.lacks_second_factor === true, 'the store asks for it');
    expect((await session(browser)).body.lacks_second_factor).to.equal(false);
    expect((await browser.send('GET', '/v1/segments')).status).to.equal(200);
  });

  it('ends with the provider, and with another issuer or client', async () => {
    await invite('ben@example.com');
    for (const end of [() => set({ client_id: 'another' }), () => owner.send('DELETE', '/v1/identity-provider')]) {
      await set({});
      const browser = await comesIn(verified('ben@example.com'));
      await set({ client_secret: undefined });
      expect(await isIn(browser)).to.equal(true);
      await end();
      await until(async () => !(await isIn(browser)), 'the session has ended');
      expect(await isIn(owner)).to.equal(true);
    }
    expect(await signIn(verified('ben@example.com'))).to.equal(outFor('no_provider'));
  });

  describe('that is gone', () => {
    const asks = (email: string, role: string, by: Browser = owner) =>
      by.send('POST', '/v1/invitations', { email, role });
    const tokenOf = ({ body }: { body: any }): string => body.link.split('#')[1];

    it('leaves people who are invited again, are who they were, and have a password then', async () => {
      await invite('ben@example.com', 'support');
      const { body: before } = await session(await comesIn(verified('ben@example.com')));
      expect((await asks('ben@example.com', 'analyst')).status, 'as long as the provider lets them in').to.equal(400);
      await owner.send('DELETE', '/v1/identity-provider');
      const help = await owner.send('POST', `/v1/people/${before.id}/password-reset`);
      expect([help.status, help.body.error.message]).to.deep.equal([
        400,
        'The person came by an identity provider that the store has no more, and has no password; invite them again',
      ]);
      const again = new Browser(service.url);
      expect((await again.accept(tokenOf(await asks('Ben@example.com', 'analyst')), { name: 'Ben' })).status).to.equal(
        204,
      );
      expect((await session(again)).body).to.include({ id: before.id, name: 'Ben', role: 'analyst' });
      expect((await new Browser(service.url).signIn('ben@example.com')).status).to.equal(204);
      const { people } = (await owner.send('GET', '/v1/people')).body;
      expect(people.filter(({ email }: any) => email === 'ben@example.com')).to.have.length(1);
      // The provider of before finds them by their address.
      await set({});
      expect((await session(await comesIn(verified('ben@example.com')))).body.id).to.equal(before.id);
    });

    it('leaves one who has an account elsewhere in the store once', async () => {
      const elsewhere = await signedIn(service, await service.newStore(), 'owner', `eve-${storeId}@example.com`);
      await invite(elsewhere.email, 'support');
      const { body: former } = await session(await comesIn(verified(elsewhere.email)));
      await owner.send('DELETE', '/v1/identity-provider');
      const token = tokenOf(await asks(elsewhere.email, 'analyst'));
      expect((await new Browser(service.url).accept(token, {})).status).to.equal(204);
      const { people } = (await owner.send('GET', '/v1/people')).body;
      const own = people.filter(({ email }: any) => email === elsewhere.email);
      expect(own.map(({ role }: any) => role)).to.deep.equal(['analyst']);
      expect(own[0].id).not.to.equal(former.id);
    });

    it('makes nobody an owner by the invitation of an admin', async () => {
      await invite('boss@example.com', 'owner');
      const { body: boss } = await session(await comesIn(verified('boss@example.com')));
      expect(boss.role).to.equal('owner');
      const admin = await signedIn(service, storeId, 'admin');
      await owner.send('DELETE', '/v1/identity-provider');
      expect((await asks('boss@example.com', 'analyst', admin)).status).to.equal(400);
      expect((await asks('boss@example.com', 'owner', admin)).status).to.equal(403);
      const again = new Browser(service.url);
      expect((await again.accept(tokenOf(await asks('boss@example.com', 'owner')), { name: 'Boss' })).status).to.equal(
        204,
      );
      expect((await session(again)).body).to.include({ id: boss.id, role: 'owner' });
    });
  });
});
