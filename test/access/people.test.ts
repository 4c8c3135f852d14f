import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openOrm } from '../../src/db/orm.ts';
import { hashPassword, verifyPassword } from '../../src/domain/people/passwords.ts';
import { countedAttempt } from '../../src/domain/people/sign-in-failures.ts';
import { keyOfText, Secrets } from '../../src/domain/secrets/secrets.ts';
import { overloaded, type ServiceError } from '../../src/domain/service-error.ts';
import { DAY } from '../../src/domain/time/duration.ts';
import { Browser, invitationTo, PASSWORD, signedIn } from '../support/people.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('A person who signs in to the dashboard', () => {
  let service: TestService;
  let storeId: string;
  let address = 0;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1' });
    storeId = await service.newStore();
  });
  after(() => service.stop());

  /** Another address each, so that they have attempts of their own. */
  const newBrowser = (headers: Record<string, string> = {}) => {
    address += 1;
    return new Browser(service.url, { 'X-Forwarded-For': `203.0.113.${address}`, ...headers });
  };
  const member = async (email: string) => {
    const browser = newBrowser();
    const token = await invitationTo(service, storeId, 'owner', email);
    expect((await browser.accept(token, { name: 'Ada' })).status).to.equal(204);
    return browser;
  };
  const isIn = async (browser: Browser) => (await browser.send('GET', '/v1/store')).status === 200;

  it('becomes one by a link, once, and is signed in by that', async () => {
    const token = await invitationTo(service, storeId, 'owner');
    const browser = newBrowser();
    const shown = await browser.send('POST', '/dashboard/invitation', { token });
    expect(shown.body).to.deep.include({ email: null, role: 'owner', has_password: false });
    const given = { email: ' Ada@Example.com ', name: 'Ada' };
    for (const [field, value] of [
      ['password', 'short'],
      ['password', 'passwordpassword'],
      ['password', 'ada@example.com'],
      ['password', 'x'.repeat(129)],
      ['name', ' '],
      ['name', 'A\nda'],
      ['email', 'ada'],
      ['email', 'ada\u202e@example.com'],
      ['email', 'ada@\u2066example.com'],
      ['email', 7],
    ]) {
      const { status, body } = await browser.accept(token, { ...given, [field as string]: value });
      expect([status, body.error.code, body.error.field], String(value)).to.deep.equal([
        400,
        'validation_error',
        field,
      ]);
    }
    const accepted = await browser.accept(token, given);
    expect(accepted.status).to.equal(204);
    const cookies = accepted.headers.getSetCookie();
    expect(cookies[0]).to.match(/^footfall_person=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=1209600$/);
    expect(await isIn(browser)).to.equal(true);
    expect((await newBrowser().accept(token, { ...given, email: 'bob@example.com' })).status).to.equal(404);
    expect((await newBrowser().send('POST', '/dashboard/invitation', { token })).status).to.equal(404);
    expect((await newBrowser().signIn('ADA@example.com')).status).to.equal(204);
  });

  it('has a session of another name under TLS, which nobody but the host can set', async () => {
    await member('tls@example.com');
    const browser = newBrowser({ 'X-Forwarded-Proto': 'https' });
    const [cookie] = (await browser.signIn('tls@example.com')).headers.getSetCookie();
    expect(cookie).to.match(/^__Host-footfall_person=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=/);
    expect(await isIn(browser)).to.equal(true);
    const plain = newBrowser({ 'X-Forwarded-Proto': 'https' });
    plain.cookies.set('footfall_person', browser.cookies.get('__Host-footfall_person') as string);
    expect(await isIn(plain)).to.equal(false);
  });

  it('gets a new session with each sign-in, and the one before ends', async () => {
    const browser = await member('fixed@example.com');
    const former = browser.cookies.get('footfall_person') as string;
    await browser.signIn('fixed@example.com');
    expect(browser.cookies.get('footfall_person')).not.to.equal(former);
    const other = newBrowser();
    other.cookies.set('footfall_person', former);
    await until(async () => !(await isIn(other)), 'the former session has ended');
    expect(await isIn(browser)).to.equal(true);
  });

  it('signs out, which ends the session and not only the cookie', async () => {
    const browser = await member('out@example.com');
    const copy = newBrowser();
    copy.cookies.set('footfall_person', browser.cookies.get('footfall_person') as string);
    expect(await isIn(copy)).to.equal(true);
    expect((await browser.send('DELETE', '/dashboard/session')).status).to.equal(204);
    expect(browser.cookies.has('footfall_person')).to.equal(false);
    await until(async () => !(await isIn(copy)), 'the session has ended');
  });

  it('ends all other sessions by a new password', async () => {
    const browser = await member('new@example.com');
    const other = newBrowser();
    await other.signIn('new@example.com');
    expect(await isIn(other)).to.equal(true);
    const change = (body: object) => browser.send('PUT', '/dashboard/session/password', body);
    const wrong = await change({ current_password: 'not this one at all', password: 'another way home' });
    expect([wrong.status, wrong.body.error.field]).to.deep.equal([400, 'current_password']);
    expect((await change({ current_password: PASSWORD, password: 'short' })).body.error.field).to.equal('password');
    expect((await change({ current_password: PASSWORD, password: 'another way home' })).status).to.equal(204);
    await until(async () => !(await isIn(other)), 'the other session has ended');
    expect(await isIn(browser)).to.equal(true);
    expect((await newBrowser().signIn('new@example.com')).status).to.equal(401);
    expect((await newBrowser().signIn('new@example.com', 'another way home')).status).to.equal(204);
  });

  it('is signed out after 12 hours without a request, and after 14 days', async () => {
    for (const change of [
      "seen_at = now() - interval '12 hours 1 second'",
      "expires_at = now() - interval '1 second'",
    ]) {
      const browser = await member(`idle-${change.length}@example.com`);
      await service.database.query(`
        update person_session set ${change} where person_id = (
          select id from person where email = 'idle-${change.length}@example.com')`);
      await until(async () => !(await isIn(browser)), 'the session has ended');
    }
  });

  it('sees one store, and switches to another only as its member', async () => {
    const browser = await member('two@example.com');
    const other = await service.newStore();
    const switchTo = (store_id: string) => browser.send('PUT', '/dashboard/session/store', { store_id });
    expect((await switchTo(other)).status).to.equal(404);
    expect((await switchTo('no id')).status).to.equal(404);
    const token = await invitationTo(service, other, 'analyst', 'two@example.com');
    const shown = await browser.send('POST', '/dashboard/invitation', { token });
    expect(shown.body).to.deep.include({ role: 'analyst', has_password: true });
    expect((await newBrowser().accept(token, { password: 'a new one, from nowhere' })).status).to.equal(401);
    expect((await browser.accept(token, {})).status).to.equal(204);
    await until(async () => !(await isIn(browser)), 'an analyst does not read the settings');
    expect((await switchTo(storeId)).status).to.equal(204);
    await until(async () => isIn(browser), 'an owner does');
  });

  for (const [how, change] of [
    ['another role', "update membership set role = 'analyst' where person_id = $1"],
    ['no membership any more', 'delete from membership where person_id = $1'],
    ['a session of another store', 'update person_session set store_id = $2 where person_id = $1'],
  ] as const) {
    it(`is streamed nothing any more with ${how}`, async () => {
      const other = await service.newStore();
      const browser = await member(`streamed-${change.length}@example.com`);
      const { id } = (await browser.send('GET', '/v1/session')).body;
      await service.database.query(`
        insert into membership (store_id, person_id, role, created_at) values ('${other}', '${id}', 'owner', now())`);
      const cookie = Array.from(browser.cookies, (pair) => pair.join('=')).join('; ');
      const { status, body } = await fetch(`${service.url}/v1/events/stream`, {
        headers: { Cookie: cookie, 'X-Requested-With': 'footfall-dashboard' },
      });
      expect(status).to.equal(200);
      const reader = (body as ReadableStream<Uint8Array>).getReader();
      let hasEnded = false;
      const end = (async () => {
        while (!(await reader.read()).done);
        hasEnded = true;
      })();
      await sleep(1_500);
      expect(hasEnded).to.equal(false);
      await service.database.query(change.replace('$1', `'${id}'`).replace('$2', `'${other}'`));
      await until(async () => hasEnded, 'the stream has ended');
      await end;
    });
  }

  it('can not sign in, nor be signed in, by a page of another origin', async () => {
    const browser = await member('csrf@example.com');
    const attempts: [string, string, object][] = [
      ['POST', '/dashboard/session', { email: 'csrf@example.com', password: PASSWORD }],
      ['POST', '/dashboard/invitation', { token: 'x' }],
      ['POST', '/dashboard/invitation/acceptance', { token: 'x', password: PASSWORD }],
      ['PUT', '/dashboard/session/password', { current_password: PASSWORD, password: PASSWORD }],
      ['PUT', '/dashboard/session/store', { store_id: storeId }],
    ];
    for (const [method, path, body] of attempts) {
      for (const headers of [{ 'X-Requested-With': '' }, { Origin: 'https://evil.example' }, { Origin: 'null' }]) {
        const { status, headers: answered } = await browser.send(method, path, body, headers as Record<string, string>);
        expect([status, answered.getSetCookie()], `${method} ${path}`).to.deep.equal([403, []]);
      }
    }
    const own = { Origin: service.url };
    expect((await browser.send('POST', '/dashboard/session', attempts[0]?.[2], own)).status).to.equal(204);
    expect((await browser.send('GET', '/v1/store', undefined, { 'X-Requested-With': '' })).status).to.equal(401);
    expect((await browser.send('GET', '/compat/v1/accounts')).status).to.equal(401);
  });

  it('is refused in the same words and headers whether or not somebody has the address', async () => {
    await member('known@example.com');
    const said = async (email: string) => {
      const { status, headers, body } = await newBrowser().signIn(email, 'this is not the password');
      return [status, [...headers.keys()].sort(), body.error.code, body.error.message];
    };
    expect(await said('known@example.com')).to.deep.equal(await said('unknown@example.com'));
  });

  it('waits longer after each failure from the fifth on, known or not, but not in a browser of before', async () => {
    const own = await member('guessed@example.com');
    // Nobody has waited to the end before the test has come to its own, however long that takes.
    await service.database.query(`
      create or replace function lengthen_wait() returns trigger language plpgsql as $$ begin
        new.blocked_until := new.blocked_until + interval '1 hour';
        return new;
      end $$;
      create or replace trigger lengthened before insert or update on sign_in_failure for each row
        when (new.blocked_until > new.last_at) execute function lengthen_wait()`);
    for (const email of ['guessed@example.com', 'nobody@example.com']) {
      const guesses = await Promise.all(
        Array.from({ length: 9 }, () => newBrowser().signIn(email, 'this is not the password')),
      );
      const statuses = guesses.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([...Array(5).fill(401), ...Array(4).fill(429)]);
      const waiting = guesses.find(({ status }) => status === 429)?.headers.get('retry-after');
      expect(Number(waiting)).to.be.within(1, 3_602);
      const waits = await service.database.query<{ seconds: number }>(`
        select distinct extract(epoch from blocked_until - last_at)::float as seconds from sign_in_failure
        where failures >= 5`);
      expect(waits).to.deep.equal([{ seconds: 3_602 }]);
    }
    // Two seconds may be over by now.
    await service.database.query("update sign_in_failure set blocked_until = now() + interval '1 hour'");
    expect((await newBrowser().signIn('guessed@example.com')).status).to.equal(429);
    expect((await own.signIn('guessed@example.com')).status).to.equal(204);
    // A cookie of another person's browser does not help.
    const other = await member('other@example.com');
    expect((await other.signIn('guessed@example.com')).status).to.equal(429);
    await service.database.query(`
      drop trigger lengthened on sign_in_failure;
      update sign_in_failure set blocked_until = now() - interval '1 second'`);
    expect((await newBrowser().signIn('guessed@example.com')).status).to.equal(204);
  });

  it('is known by a browser for 180 days', async () => {
    await member('half-year@example.com');
    const { database } = service;
    const [drawn] = await database.query<{ text: string }>(`select text from drawn_key where name = 'secrets'`);
    const signer = new Secrets([keyOfText(drawn?.text as string)]).derive('known-browsers');
    const today = Math.floor(Date.now() / DAY);
    const waits = `update sign_in_failure set failures = 9, blocked_until = now() + interval '1 hour'`;
    for (let n = 0; n < 2; n += 1) await newBrowser().signIn('half-year@example.com', 'this is not the password');
    await database.query(waits);
    for (const [days, status] of [
      [181, 429],
      [179, 204],
    ] as const) {
      const browser = newBrowser();
      const id = `${today - days}-somewhere`;
      const signature = signer.sign(`half-year@example.com\n${id}`, 16).toString('base64url');
      browser.cookies.set('footfall_known', `${id}.${signature}`);
      expect((await browser.signIn('half-year@example.com')).status, `${days} days`).to.equal(status);
    }
  });

  it('has made no attempt where the password is not tried', async () => {
    const database = await openOrm(service.database.url, 2);
    const codeOf = (error: unknown) => (error as ServiceError).code;
    const refused = () =>
      countedAttempt(database.sql, 'crowd', () => Promise.reject(overloaded('Too many'))).catch(codeOf);
    const attempt = () => countedAttempt(database.sql, 'crowd', () => Promise.resolve(false)).catch(codeOf);
    // Of six that were counted, the last would have to wait.
    for (let n = 0; n < 9; n += 1) expect(await refused()).to.equal('upstream_error');
    for (let n = 0; n < 5; n += 1) expect(await attempt()).to.equal(false);
    expect(await attempt()).to.equal('rate_limit_exceeded');
    await database.close();
  });

  it('waits for few others of the same address, and for none of another', async () => {
    const browser = await member('crowd@example.com');
    let done = 0;
    const crowd = Array.from({ length: 25 }, () =>
      verifyPassword(PASSWORD, undefined, 'crowd').then(
        () => {
          done += 1;
        },
        (error) => (error as ServiceError).code,
      ),
    );
    expect(await verifyPassword(PASSWORD, undefined, 'another')).to.equal(false);
    expect(done).to.be.below(15);
    expect((await browser.signIn('crowd@example.com')).status).to.equal(204);
    // One is tried and twenty wait.
    expect((await Promise.all(crowd)).filter(Boolean)).to.deep.equal(Array(4).fill('upstream_error'));
  });

  it('is refused after the same work where what is kept can not be read', async () => {
    const msOf = async (kept: string | undefined) => {
      const times: number[] = [];
      for (let n = 0; n < 3; n += 1) {
        const start = performance.now();
        expect(await verifyPassword(PASSWORD, kept, 'unreadable')).to.equal(false);
        times.push(performance.now() - start);
      }
      return Math.min(...times);
    };
    const nobodys = await msOf(undefined);
    for (const kept of [
      '',
      '$argon2i$v=19$m=8,t=1,p=1$AAAA$AAAA',
      '$scrypt$ln=x,r=8,p=3$AAAA$AAAA',
      '$constructor$$$',
    ]) {
      expect(await msOf(kept), kept).to.be.above(nobodys / 4);
    }
    const own = await hashPassword(PASSWORD, 'unreadable');
    expect(await verifyPassword(PASSWORD, own, 'unreadable')).to.equal(true);
  });

  it('has 20 attempts in a minute from one address', async () => {
    const browser = newBrowser();
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1)
      statuses.push((await browser.send('POST', '/dashboard/invitation', { token: `no token ${n}` })).status);
    expect(statuses).to.deep.equal([...Array(20).fill(404), 429]);
    expect((await browser.signIn('anybody@example.com')).status).to.equal(429);
  });

  it('is not kept out by those who share the address, in a browser in which they have signed in before', async () => {
    const office = { 'X-Forwarded-For': '203.0.113.250' };
    const known = newBrowser(office);
    const token = await invitationTo(service, storeId, 'owner', 'office@example.com');
    expect((await known.accept(token, { name: 'Ada' })).status).to.equal(204);
    const other = newBrowser(office);
    for (let n = 0; n < 20; n += 1) await other.send('POST', '/dashboard/invitation', { token: 'nothing' });
    expect((await other.signIn('office@example.com')).status).to.equal(429);
    expect((await known.signIn('office@example.com')).status).to.equal(204);
    // Nor is such a browser free of bounds, nor one for whomever else.
    expect((await known.signIn('tls@example.com')).status).to.equal(429);
    const wrong = Array.from({ length: 20 }, () => known.signIn('office@example.com', 'this is not the password'));
    expect((await Promise.all(wrong)).filter(({ status }) => status === 204)).to.deep.equal([]);
    expect((await known.signIn('office@example.com')).status).to.equal(429);
  });

  it('joins another store in a browser of before, whoever fails elsewhere with the address', async () => {
    const own = await member('joining@example.com');
    const token = await invitationTo(service, await service.newStore(), 'analyst', 'joining@example.com');
    await Promise.all(Array.from({ length: 9 }, () => newBrowser().signIn('joining@example.com', 'not the password')));
    expect((await newBrowser().accept(token, {})).status).to.equal(429);
    expect((await own.accept(token, {})).status).to.equal(204);
  });

  it('leaves nothing by which to sign in where others could read it', async () => {
    const browser = await signedIn(service, storeId, 'owner', 'kept@example.com');
    const rows = await service.database.query(
      'select to_jsonb(p)::text as text from person p union all select to_jsonb(s)::text from person_session s',
    );
    const text = JSON.stringify(rows);
    expect(text).not.to.contain(PASSWORD);
    expect(text).not.to.contain(browser.cookies.get('footfall_person'));
    expect(text).to.match(/\$(?:argon2id\$v=19\$m=19456,t=2,p=1|scrypt\$ln=15,r=8,p=3)\$/);
  });
});
