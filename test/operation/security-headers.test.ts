import { expect } from 'chai';
import { Client, type Response } from '../support/client.ts';
import { type Answer, exchange } from '../support/raw.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'visit', profile: { external_id: 'ada' } };
const STRICTEST = "default-src 'none'; frame-ancestors 'none'";

describe('Security headers', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=50,none=1' });
    client = await service.client({ tier: 'standard' });
  });
  after(() => service.stop());

  function expectAll({ headers }: Pick<Response, 'headers'>, what: string, policy = STRICTEST): void {
    expect(headers, what).to.include({
      'x-content-type-options': 'nosniff',
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers, what).not.to.have.any.keys('server', 'x-powered-by', 'strict-transport-security');
  }

  it('are on every response with data, whatever its status, and forbid caching', async () => {
    const limited = await service.client({ tier: 'none' });
    const json = { 'Content-Type': 'application/json' };
    const answers: [number, () => Promise<Response>][] = [
      [201, () => client.post('/v1/events', EVENT)],
      [200, () => client.get('/health/live')],
      [202, () => client.post('/compat/v1/profile-bulk-import-jobs', importOf({ external_id: 'ada' }))],
      [400, () => client.post('/v1/events', {})],
      [400, () => client.send('POST', '/v1/events', '{', { headers: json })],
      [401, () => new Client(service.url).post('/v1/events', EVENT)],
      [404, () => client.get('/v1/nothing')],
      [404, () => client.get('/compat/v1/catalogs')],
      [404, () => client.send('OPTIONS', '/v1/events', undefined)],
      [404, () => new Client(service.url).get('/nothing')],
      [429, () => limited.get('/v1/nothing').then(() => limited.get('/v1/nothing'))],
    ];
    for (const [status, send] of answers) {
      const response = await send();
      expect(response.status).to.equal(status);
      expectAll(response, String(status));
      expect(response.headers['cache-control'], String(status)).to.equal('no-store');
    }
  });

  it('are on responses to invalid HTTP, and on internal errors', async () => {
    const [refusal] = (await exchange(service.url, 'nothing\r\n\r\n')).answers;
    expectAll(refusal as Answer, 'no HTTP');
    await service.database.query('alter table profile rename to elsewhere');
    try {
      const upsert = { identifiers: { external_id: 'ada' } };
      expectAll(await client.post('/v1/profiles/upsert', upsert, { expect: 500 }), '500');
    } finally {
      await service.database.query('alter table elsewhere rename to profile');
    }
  });

  it('let the pages of the docs load only resources of this service', async () => {
    const guide = await client.get('/docs', { expect: 200 });
    const reference = await client.get('/docs/reference/native', { expect: 200 });
    const missing = await client.get('/docs/nothing', { expect: 404 });
    for (const page of [guide, reference, missing]) {
      const policy = page.headers['content-security-policy'] ?? '';
      expectAll(page, policy, policy);
      for (const directive of [
        "default-src 'self'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
      ]) {
        expect(policy.split('; ')).to.include(directive);
      }
      expect(policy).not.to.match(/script-src|https?:|\*|unsafe-eval/);
      // Scalar adds styles by itself.
      if (page !== reference) expect(policy).not.to.include('unsafe-inline');
      else expect(policy.replace("style-src 'self' 'unsafe-inline'", '')).not.to.include('unsafe-inline');
    }
    for (const path of [
      '/openapi/native.yaml',
      '/docs/assets/scalar.js',
      '/docs/assets/docs.css',
      '/docs/assets/nothing',
    ]) {
      expectAll(await client.get(path), path);
    }
  });

  it('require HTTPS if a trusted proxy says that it was used', async () => {
    const behind = await TestService.start({ TRUST_PROXY: '1' }, service.database);
    const hsts = async (url: string, forwarded: string) =>
      (await new Client(url).get('/v1/nothing', { headers: { 'X-Forwarded-Proto': forwarded } })).headers[
        'strict-transport-security'
      ];
    expect(await hsts(behind.url, 'https')).to.equal('max-age=31536000');
    expect(await hsts(behind.url, 'http')).to.equal(undefined);
    expect(await hsts(service.url, 'https')).to.equal(undefined);
    await behind.stopService();
  });
});

function importOf(attributes: object) {
  const profiles = { data: [{ type: 'profile', attributes }] };
  return { data: { type: 'profile-bulk-import-job', attributes: { profiles } } };
}
