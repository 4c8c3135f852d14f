import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { Client } from '../support/client.ts';
import { TestService } from '../support/service.ts';

const EVENT = { event_type: 'visit', profile: { external_id: 'c1' } };
const JSON_TYPE = { 'Content-Type': 'application/json' };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('Errors of the native surface', () => {
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=1000,partner=1000,one=1' });
    client = await service.client();
  });
  after(() => service.stop());

  /** Sends something that is refused; what the error says, without the id that it has to have. */
  async function refusal(method: string, path: string, body?: string | Buffer, headers: Record<string, string> = {}) {
    const answer = await client.send<any>(method, path, body, { headers });
    expect(answer.headers['content-type']).to.match(/^application\/json/);
    const { code, field, message, request_id } = answer.body.error;
    expect(answer.body).to.have.all.keys('error');
    expect(message).to.be.a('string').that.is.not.empty;
    expect(request_id).to.match(UUID).and.to.equal(answer.headers['x-request-id']);
    for (const header of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
      expect(answer.headers[header], header).to.match(/^\d+$/);
    }
    return [answer.status, code, field];
  }

  it('are not_found for every path and method without an operation', async () => {
    const requests = [
      ['GET', '/v1'],
      ['GET', '/v1/'],
      ['PUT', '/v1/events'],
      ['DELETE', '/v1/events'],
      ['OPTIONS', '/v1/events'],
      ['POST', '/v1/events/'],
      ['POST', '/v1/Events'],
      ['POST', '/v1//events'],
      ['POST', '/v1/events/%E0%A4%A'],
      ['POST', '/v1/profiles'],
    ] as const;
    for (const [method, path] of requests) {
      const body = method === 'POST' ? JSON.stringify(EVENT) : undefined;
      expect(await refusal(method, path, body, JSON_TYPE), `${method} ${path}`).to.deep.equal([404, 'not_found', null]);
    }
  });

  it('are unauthorized before they reveal anything about the path', async () => {
    const { status, body } = await new Client(service.url).send('GET', '/v1/nothing', undefined);
    expect([status, body.error.code]).to.deep.equal([401, 'unauthorized']);
  });

  for (const [what, [body, headers]] of Object.entries({
    'no body': [undefined, {}],
    'an empty body': ['', JSON_TYPE],
    'malformed JSON': ['{"event_type":', JSON_TYPE],
    'two documents': ['{}{}', JSON_TYPE],
    'no content type': [Buffer.from(JSON.stringify(EVENT)), {}],
    'another content type': [JSON.stringify(EVENT), { 'Content-Type': 'text/plain' }],
    'the content type of the other surface': [JSON.stringify(EVENT), { 'Content-Type': 'application/vnd.api+json' }],
    'invalid UTF-8': [Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE],
    'more than 5 MB': [`"${'x'.repeat(5 * 1024 * 1024)}"`, JSON_TYPE],
    'more than 5 MB, compressed': [gzipSync(`"${'x'.repeat(6e6)}"`), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
    'broken gzip': [Buffer.from('no gzip'), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
    'half a gzip': [gzipSync(JSON.stringify(EVENT)).subarray(0, 20), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
    'an unknown encoding': [JSON.stringify(EVENT), { ...JSON_TYPE, 'Content-Encoding': 'zstd' }],
    'a scalar': ['5', JSON_TYPE],
    'nothing but a byte order mark': ['\ufeff', JSON_TYPE],
    null: ['null', JSON_TYPE],
  } as Record<string, [string | Buffer | undefined, Record<string, string>]>)) {
    it(`are validation_error for ${what}`, async () => {
      expect(await refusal('POST', '/v1/events', body, headers)).to.deep.equal([400, 'validation_error', null]);
    });
  }

  it('do not occur for a body with a charset or a byte order mark, or a compressed one', async () => {
    const bodies: [string | Buffer, Record<string, string>][] = [
      [`\ufeff${JSON.stringify(EVENT)}`, JSON_TYPE],
      [`\ufeff${JSON.stringify({ ...EVENT, properties: { text: 'x'.repeat(70_000) } })}`, JSON_TYPE],
      [JSON.stringify(EVENT), { 'Content-Type': 'application/json; charset=utf-8' }],
      [gzipSync(JSON.stringify(EVENT)), { ...JSON_TYPE, 'Content-Encoding': 'gzip' }],
      [brotliCompressSync(JSON.stringify(EVENT)), { ...JSON_TYPE, 'Content-Encoding': 'br' }],
    ];
    for (const [body, headers] of bodies) await client.send('POST', '/v1/events', body, { headers, expect: 201 });
  });

  it('have no field if the rate limit is exceeded', async () => {
    const limited = await service.client({ tier: 'one' });
    await limited.post('/v1/events', EVENT, { expect: 201 });
    const { body } = await limited.post('/v1/events', EVENT, { expect: 429 });
    expect(body.error).to.have.all.keys('code', 'message', 'request_id');
  });

  it('refuse unknown query parameters', async () => {
    const { error } = (await client.post('/v1/events?dry_run=1', EVENT, { expect: 400 })).body;
    expect(error.field).to.equal('dry_run');
  });
});
