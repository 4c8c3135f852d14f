import { expect } from 'chai';
import { base32, bytesOf, codeOf, matchingStep, otpauthUri, stepAt } from '../../src/domain/people/totp.ts';
import { Browser, invitationTo, PASSWORD } from '../support/people.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('Codes of a second factor', () => {
  const secret = Buffer.from('12345678901234567890');

  it('are those of RFC 6238 and RFC 4226', () => {
    // RFC 6238, appendix B, of SHA-1.
    for (const [seconds, code] of [
      [59, '94287082'],
      [1111111109, '07081804'],
      [1111111111, '14050471'],
      [1234567890, '89005924'],
      [2000000000, '69279037'],
      [20000000000, '65353130'],
    ] as const)
      expect(codeOf(secret, stepAt(seconds * 1000), 8)).to.equal(code);
    // RFC 4226, appendix D.
    const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489'];
    expect(codes.map((_code, n) => codeOf(secret, n))).to.deep.equal(codes);
  });

  it('are right in their own step, the one before and the one after', () => {
    const now = 1_700_000_000_000;
    const step = stepAt(now);
    for (const distance of [-1, 0, 1])
      expect(matchingStep(secret, codeOf(secret, step + distance), now)).to.equal(step + distance);
    for (const distance of [-2, 2])
      expect(matchingStep(secret, codeOf(secret, step + distance), now)).to.equal(undefined);
    for (const code of ['', '12345', '1234567', 'abcdef', '١٢٣٤٥٦'])
      expect(matchingStep(secret, code, now)).to.equal(undefined);
  });

  it('are of secrets as RFC 4648 writes them', () => {
    expect(base32(Buffer.from('foobar'))).to.equal('MZXW6YTBOI');
    expect(base32(secret)).to.equal('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(bytesOf(base32(secret))).to.deep.equal(secret);
    expect(otpauthUri('GEZDGNBV', 'ada+a@example.com')).to.equal(
      'otpauth://totp/Footfall:ada%2Ba%40example.com?secret=GEZDGNBV&issuer=Footfall&algorithm=SHA1&digits=6&period=30',
    );
  });
});

describe('A person with a second factor', () => {
  let service: TestService;
  let storeId: string;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1' });
    storeId = await service.newStore();
  });
  after(() => service.stop());

  const newBrowser = () => new Browser(service.url);
  const member = async (email: string, role: 'owner' | 'analyst' = 'owner') => {
    const browser = newBrowser();
    const token = await invitationTo(service, storeId, role, email);
    expect((await browser.accept(token, { name: 'Ada' })).status).to.equal(204);
    return browser;
  };
  const isIn = async (browser: Browser) => (await browser.send('GET', '/v1/session')).status === 200;
  const secretOf = async (browser: Browser): Promise<Buffer> => {
    const offer = await browser.send('POST', '/dashboard/account/second-factor', { password: PASSWORD });
    expect(offer.status).to.equal(200);
    expect(offer.body.uri).to.contain(`secret=${offer.body.secret}&`);
    return bytesOf(offer.body.secret);
  };
  /** Code of a step from now on. */
  const codeIn = (secret: Buffer, steps: number) => codeOf(secret, stepAt(Date.now()) + steps);
  /** Codes of before are those that have not been used. */
  const forgetSteps = () => service.database.query('update second_factor set last_step = 0');
  const enrolled = async (email: string) => {
    const browser = await member(email);
    const secret = await secretOf(browser);
    const { status, body } = await browser.send('PUT', '/dashboard/account/second-factor', { code: codeIn(secret, 0) });
    expect(status).to.equal(200);
    await forgetSteps();
    return { browser, secret, recoveryCodes: body.recovery_codes as string[] };
  };
  const signIn = (browser: Browser, email: string, code?: string) =>
    browser.send('POST', '/dashboard/session', { email, password: PASSWORD, ...(code !== undefined && { code }) });
  const enabled = async (browser: Browser) => (await browser.send('GET', '/dashboard/account')).body.second_factor;

  it('has it after the password and a first code, which ends the other sessions', async () => {
    const browser = await member('enrol@example.com');
    const other = newBrowser();
    expect((await other.signIn('enrol@example.com')).status).to.equal(204);
    const wrong = await browser.send('POST', '/dashboard/account/second-factor', { password: 'not this one at all' });
    expect([wrong.status, wrong.body.error.field]).to.deep.equal([400, 'password']);
    const secret = await secretOf(browser);
    const put = (code: string) => browser.send('PUT', '/dashboard/account/second-factor', { code });
    const refused = await put(codeIn(secret, 5));
    expect([refused.status, refused.body.error.field]).to.deep.equal([400, 'code']);
    expect((await newBrowser().signIn('enrol@example.com')).status).to.equal(204);
    expect(await enabled(browser)).to.deep.equal({ enabled: false, recovery_codes: 0 });
    const { body } = await put(codeIn(secret, 0));
    expect(body.recovery_codes).to.have.length(10);
    for (const code of body.recovery_codes) expect(code).to.match(/^(?:[a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    expect(await enabled(browser)).to.deep.equal({ enabled: true, recovery_codes: 10 });
    await until(async () => !(await isIn(other)), 'the other session has ended');
    expect(await isIn(browser)).to.equal(true);
    const again = await browser.send('POST', '/dashboard/account/second-factor', { password: PASSWORD });
    expect([again.status, again.body.error.code]).to.deep.equal([400, 'validation_error']);
  });

  it('signs in with the password and a code, each code once, also where two try it at the same time', async () => {
    const { secret } = await enrolled('replay@example.com');
    const withKey = newBrowser();
    withKey.cookies.set('footfall_session', 'a key');
    const asked = await signIn(withKey, 'replay@example.com');
    expect([asked.status, asked.body, asked.headers.getSetCookie()]).to.deep.equal([200, { second_factor: true }, []]);
    const code = codeIn(secret, 0);
    const both = await Promise.all([1, 2].map(() => signIn(newBrowser(), 'replay@example.com', code)));
    expect(both.map(({ status }) => status).sort()).to.deep.equal([204, 401]);
    expect((await signIn(newBrowser(), 'replay@example.com', code)).status).to.equal(401);
    expect((await signIn(newBrowser(), 'replay@example.com', codeIn(secret, -1))).status).to.equal(401);
    expect(
      (
        await signIn(
          newBrowser(),
          'replay@example.com',
          ` ${codeIn(secret, 1).slice(0, 3)} ${codeIn(secret, 1).slice(3)}`,
        )
      ).status,
    ).to.equal(204);
    const wrong = await newBrowser().send('POST', '/dashboard/session', {
      ...{ email: 'replay@example.com', password: 'this is not the password', code: codeIn(secret, 1) },
    });
    const known = await newBrowser().signIn('nobody@example.com');
    expect([wrong.status, wrong.body.error.message]).to.deep.equal([401, known.body.error.message]);
  });

  it('signs in by each recovery code once', async () => {
    const { recoveryCodes } = await enrolled('lost@example.com');
    const [first = '', second = ''] = recoveryCodes;
    const both = await Promise.all([1, 2].map(() => signIn(newBrowser(), 'lost@example.com', first)));
    expect(both.map(({ status }) => status).sort()).to.deep.equal([204, 401]);
    const browser = newBrowser();
    const typed = second.replaceAll('-', '').toUpperCase();
    expect((await signIn(browser, 'lost@example.com', typed)).status).to.equal(204);
    expect(await enabled(browser)).to.deep.equal({ enabled: true, recovery_codes: 8 });
    const other = await enrolled('other@example.com');
    expect((await signIn(newBrowser(), 'lost@example.com', other.recoveryCodes[0])).status).to.equal(401);
    const text = JSON.stringify(
      await service.database.query(`
        select to_jsonb(f)::text as text from second_factor f union all select to_jsonb(c)::text from recovery_code c`),
    );
    for (const code of [...recoveryCodes, base32(other.secret)]) expect(text).not.to.contain(code);
  });

  it('waits longer after each wrong code from the fifth on, though the password is right', async () => {
    const { secret } = await enrolled('guess@example.com');
    const guesses = await Promise.all(
      Array.from({ length: 8 }, (_, n) => signIn(newBrowser(), 'guess@example.com', `00000${n}`)),
    );
    expect(guesses.map(({ status }) => status).sort()).to.deep.equal([...Array(5).fill(401), ...Array(3).fill(429)]);
    expect((await signIn(newBrowser(), 'guess@example.com', codeIn(secret, 0))).status).to.equal(429);
    await service.database.query("update sign_in_failure set blocked_until = now() - interval '1 second'");
    // To be asked for a code is no attempt, and takes none back.
    for (let n = 0; n < 3; n += 1) expect((await signIn(newBrowser(), 'guess@example.com')).status).to.equal(200);
    expect((await signIn(newBrowser(), 'guess@example.com', '000009')).status).to.equal(401);
    expect((await signIn(newBrowser(), 'guess@example.com')).status).to.equal(429);
  });

  it('joins another store with the password and a code', async () => {
    const { secret } = await enrolled('joins@example.com');
    const other = await service.newStore();
    const token = await invitationTo(service, other, 'analyst', 'joins@example.com');
    const browser = newBrowser();
    expect((await browser.accept(token, {})).body).to.deep.equal({ second_factor: true });
    expect(await isIn(browser)).to.equal(false);
    expect((await browser.accept(token, { code: '000000' })).status).to.equal(401);
    expect((await browser.accept(token, { code: codeIn(secret, 0) })).status).to.equal(204);
    expect(await isIn(browser)).to.equal(true);
  });

  it('switches it off, and draws other recovery codes, by the password and a code', async () => {
    const { browser, secret, recoveryCodes } = await enrolled('off@example.com');
    const removal = (body: object) => browser.send('POST', '/dashboard/account/second-factor/removal', body);
    const fieldOf = async (body: object) => (await removal(body)).body.error.field;
    expect(await fieldOf({ password: 'not this one at all', code: codeIn(secret, 0) })).to.equal('password');
    expect(await fieldOf({ password: PASSWORD })).to.equal('code');
    expect(await fieldOf({ password: PASSWORD, code: codeIn(secret, 5) })).to.equal('code');
    const renewed = await browser.send('POST', '/dashboard/account/recovery-codes', {
      ...{ password: PASSWORD, code: codeIn(secret, 0) },
    });
    expect(renewed.body.recovery_codes).to.have.length(10);
    expect(await fieldOf({ password: PASSWORD, code: recoveryCodes[0] })).to.equal('code');
    expect((await removal({ password: PASSWORD, code: renewed.body.recovery_codes[0] })).status).to.equal(204);
    expect(await enabled(browser)).to.deep.equal({ enabled: false, recovery_codes: 0 });
    expect((await newBrowser().signIn('off@example.com')).status).to.equal(204);
  });
});
