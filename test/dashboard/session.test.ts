import { expect } from 'chai';
import { TestService } from '../support/service.ts';

const FROM_DASHBOARD = { 'X-Requested-With': 'footfall-dashboard' };

describe('The session of a browser', () => {
  let service: TestService;

  before(async () => {
    service = await TestService.start({ TRUST_PROXY: '1', RATE_LIMIT_TIERS: 'standard=20,partner=3500' });
  });
  after(() => service.stop());

  const send = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(service.url + path, { method, headers });
  const signIn = (key: string, headers: Record<string, string> = {}) =>
    send('POST', '/dashboard/session', { Authorization: `Bearer ${key}`, ...headers });
  const cookieOf = (response: Response) => response.headers.get('set-cookie') ?? '';

  it('is a cookie for the native surface alone, which no script reads and no other site sends', async () => {
    const { key, id } = await service.newKey({ scopes: [] });
    const signedIn = await signIn(key);
    expect(signedIn.status).to.equal(204);
    expect(cookieOf(signedIn)).to.equal(`footfall_session=${key}; Path=/v1; HttpOnly; SameSite=Strict`);
    expect(cookieOf(await signIn(key, { 'X-Forwarded-Proto': 'https' }))).to.match(/; Secure$/);

    const session = { Cookie: `footfall_session=${key}`, ...FROM_DASHBOARD };
    const answer = await send('GET', '/v1/api-keys/current', session);
    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.contain(id);
    expect((await send('GET', '/compat/v1/event-bulk-create-jobs/1', session)).status).to.equal(401);
  });

  it('is nothing to a page of another origin on this host: it can not send the header that goes with it', async () => {
    const { key } = await service.newKey();
    const Cookie = `footfall_session=${key}`;
    expect((await send('GET', '/v1/api-keys/current', { Cookie })).status).to.equal(401);
    const preflight = await send('OPTIONS', '/v1/api-keys', {
      Origin: 'http://127.0.0.1:8080',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'x-requested-with',
    });
    expect([...preflight.headers.keys()].filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
  });

  it('ends with the key, and with signing out', async () => {
    const { key, id } = await service.newKey();
    const out = await send('DELETE', '/dashboard/session');
    expect([out.status, cookieOf(out)]).to.deep.equal([
      204,
      'footfall_session=; Path=/v1; HttpOnly; SameSite=Strict; Max-Age=0',
    ]);
    await service.keys.revoke(id);
    const session = { Cookie: `footfall_session=${key}`, ...FROM_DASHBOARD };
    expect((await send('GET', '/v1/api-keys/current', session)).status).to.equal(401);
  });

  it('is not replaced without a key in the header, and stays', async () => {
    const { key } = await service.newKey();
    const session = { Cookie: `footfall_session=${key}`, ...FROM_DASHBOARD };
    for (const headers of [{}, { Authorization: '' }, { Authorization: 'Basic eDp5' }, { Authorization: `Bearer` }]) {
      const refused = await send('POST', '/dashboard/session', { ...session, ...headers });
      expect([refused.status, refused.headers.get('set-cookie')]).to.deep.equal([401, null]);
    }
    expect((await send('GET', '/v1/api-keys/current', session)).status).to.equal(200);
  });

  it('is refused to a key that is not valid, and guessing counts against the address', async () => {
    const guess = () => signIn(`ffk_${'0'.repeat(38)}`, { 'X-Forwarded-For': '203.0.113.9' });
    for (const expected of [...Array(20).fill(401), 429]) {
      const { status, headers } = await guess();
      expect([status, headers.get('set-cookie')]).to.deep.equal([expected, null]);
    }
    expect((await send('POST', '/dashboard/session', { 'X-Forwarded-For': '203.0.113.8' })).status).to.equal(401);
  });
});
