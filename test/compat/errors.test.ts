import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { compatSurface } from '../../src/compat/index.ts';
import { ServiceError } from '../../src/domain/service-error.ts';
import { Client, type Response } from '../support/client.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';
import { eventDocument, profileDocument, profileJobDocument } from './documents.ts';

const PROFILE = profileDocument({ email: 'ada@example.com' });
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Fails unless the response is an error document with this one error. */
function expectError(response: Response<any>, error: object): void {
  expect(response.body).to.have.all.keys('errors');
  expect(response.body.errors).to.have.length(1);
  const [{ id, ...rest }] = response.body.errors;
  expect(id).to.match(UUID).and.to.equal(response.headers['x-request-id']);
  expect(rest).to.deep.equal({ status: response.status, ...error });
}

describe('Errors of the compatibility surface', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start();
    client = await service.client();
  });
  after(() => service.stop());

  it('point to what is wrong in a document', async () => {
    const document = profileDocument({ email: 'not-an-email' });
    expectError(await client.post('/compat/v1/profiles', document, { expect: 400 }), {
      code: 'validation_error',
      title: 'Invalid input',
      detail: 'email must be an e-mail address of at most 254 characters',
      source: { pointer: '/data/attributes/email' },
    });
  });

  it('report a missing or unknown key', async () => {
    for (const key of [undefined, 'ffk_nonsense']) {
      expectError(await new Client(service.url, key).post('/compat/v1/profiles', PROFILE, { expect: 401 }), {
        code: 'unauthorized',
        title: 'Not authenticated',
        detail: 'The API key is missing or not valid',
        source: {},
      });
    }
  });

  it('report the scope that a key lacks', async () => {
    const reader = await service.client({ scopes: ['profiles:read', 'events:write'] });
    expectError(await reader.post('/compat/v1/profiles', PROFILE, { expect: 403 }), {
      code: 'forbidden',
      title: 'Not allowed',
      detail: 'The API key lacks the scope profiles:write',
      source: {},
    });
  });

  it('report a full window and the time to retry', async () => {
    const limited = await TestService.start({ RATE_LIMIT_TIERS: 'standard=1' }, service.database);
    try {
      const standard = await limited.client({ tier: 'standard' });
      await standard.post('/compat/v1/profiles', PROFILE, { expect: 201 });
      const refused = await standard.post('/compat/v1/profiles', PROFILE, { expect: 429 });
      expectError(refused, {
        code: 'rate_limit_exceeded',
        title: 'Too many requests',
        detail: 'More than 1 requests in 60 seconds',
        source: {},
      });
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
      expect(refused.headers).to.include({ 'ratelimit-limit': '1', 'ratelimit-remaining': '0' });
    } finally {
      await limited.stopService();
    }
  });

  it('report a failing database without internal details', async () => {
    const own = await TestService.start();
    try {
      const victim = await own.client();
      await own.database.query('alter table profile rename to hidden');
      expectError(await victim.post('/compat/v1/profiles', PROFILE, { expect: 500 }), {
        code: 'database_error',
        title: 'Database error',
        detail: 'The database did not respond; try again',
        source: {},
      });
    } finally {
      await own.stop();
    }
  });

  it('report shed load with 503, which clients retry', async () => {
    const surface = await compatSurface(
      { reader: (create: (sql: unknown) => unknown) => create(undefined) } as never,
      [],
    );
    const error = new ServiceError('upstream_error', 'The service is overloaded; try again later', { retryAfter: 1 });
    const status = surface.statusOf(error.code);
    const body = surface.renderError(error, '6f1c2a90-3d5b-4e7a-9b1f-2c8d7e6f5a50');
    expect(status).to.equal(503);
    expect(body).to.have.nested.property('errors[0].status', 503);
    const spec = await loadSpec('compat');
    const headers = {
      'content-type': 'application/json',
      'x-request-id': '6f1c2a90-3d5b-4e7a-9b1f-2c8d7e6f5a50',
      'ratelimit-limit': '1',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '1',
      'retry-after': '1',
    };
    expect(spec.problems('createCompatEvent', { status, headers, body })).to.deep.equal([]);
  });

  const json = { 'Content-Type': 'application/json' };
  const text = JSON.stringify(PROFILE);
  const tooLarge = JSON.stringify(
    profileJobDocument([{ email: 'a@example.com', properties: { p: 'x'.repeat(5 * 2 ** 20) } }]),
  );
  const BODIES: [what: string, body: string | Buffer | undefined, headers: Record<string, string>, detail: RegExp][] = [
    ['malformed JSON', '{"data": {', json, /not valid JSON/],
    ['no body', undefined, json, /required/],
    ['an empty body', '', json, /required/],
    ['invalid UTF-8', Buffer.from('{"data": "\xff"}', 'latin1'), json, /UTF-8/],
    ['text that is no JSON', 'data=1', { 'Content-Type': 'application/x-www-form-urlencoded' }, /Content-Type/],
    ['a media type of something else', text, { 'Content-Type': 'text/plain' }, /Content-Type/],
    ['an unknown encoding', text, { ...json, 'Content-Encoding': 'zip' }, /Content-Encoding/],
    ['broken compression', randomBytes(100), { ...json, 'Content-Encoding': 'gzip' }, /decompressed/],
    ['more than 5 MB', tooLarge, json, /5 MB/],
    ['more than 5 MB, compressed', gzipSync(tooLarge), { ...json, 'Content-Encoding': 'gzip' }, /5 MB/],
    ['null', 'null', json, /must be an object/],
    ['a list', '[]', json, /must be an object/],
    ['a text', '"data"', json, /must be an object/],
    ['a number', '1', json, /must be an object/],
  ];
  for (const operation of ['events', 'event-bulk-create-jobs', 'profiles', 'profile-bulk-import-jobs']) {
    it(`refuse a body that is not a document: ${operation}`, async () => {
      for (const [what, body, headers, detail] of BODIES) {
        const { status, body: answer } = await client.send<any>('POST', `/compat/v1/${operation}`, body, { headers });
        expect(status, what).to.equal(400);
        expect(answer.errors, what).to.have.length(1);
        expect(answer.errors[0].detail).to.match(detail);
        expect(answer.errors[0].source).to.deep.equal({ pointer: '/data' });
      }
    });
  }

  it('are documents for a well-compressed body with invalid contents', async () => {
    const headers = { ...json, 'Content-Encoding': 'gzip' };
    await client.send('POST', '/compat/v1/profiles', gzipSync(text), { headers, expect: 201 });
    const wrong = gzipSync(JSON.stringify(eventDocument({ metric: 'Visit' })));
    const { body } = await client.send<any>('POST', '/compat/v1/profiles', wrong, { headers, expect: 400 });
    expect(body.errors[0].source.pointer).to.equal('/data/type');
  });
});
