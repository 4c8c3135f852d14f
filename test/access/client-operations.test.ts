import { expect } from 'chai';
import { generateKey } from '../../src/domain/api-keys/api-keys.ts';
import { Client, type Response } from '../support/client.ts';
import { isClientPath } from '../support/public-keys.ts';
import { allOperations, exampleBody, methodOf } from '../support/samples.ts';
import { TestService } from '../support/service.ts';

const operations = await allOperations();

// Generated from the specs, for every operation that they have, now and later. Do not skip one.
describe('Every operation of pages and apps', () => {
  let service: TestService;
  let publicKey: string;
  let secretKey: string;

  before(async () => {
    service = await TestService.start({
      RATE_LIMIT_TIERS: 'standard=100000,partner=100000,one=1',
      COMPAT_LISTS: 'true',
    });
  });
  after(() => service.stop());
  beforeEach(async () => {
    const { key, storeId } = await service.newKey();
    secretKey = key;
    publicKey = (await service.newKey({ storeId, scopes: ['client:write'] })).key;
  });

  const send = (path: string, query: string, body: unknown = {}, headers: Record<string, string> = {}) =>
    new Client(service.url).post<any>(`${path}?${query}`, body, { headers });
  const codeOf = ({ status, body }: Response<any>) => [status, body.errors[0].code];

  for (const operation of operations.filter(({ path }) => isClientPath(path))) {
    const { operationId, path, security } = operation;

    describe(`${operationId}, ${methodOf(operation)} ${path}`, () => {
      it('takes a public key, and nothing else', () => {
        expect(security).to.deep.equal([{ publicKey: ['client:write'] }]);
      });

      it('returns 202 without a body to a public key', async () => {
        const { status, body } = await send(path, `company_id=${publicKey}`, exampleBody(operation));
        expect([status, body]).to.deep.equal([202, '']);
      });

      it('returns 400 for an invalid request', async () => {
        expect(codeOf(await send(path, `company_id=${publicKey}`))).to.deep.equal([400, 'validation_error']);
      });

      it('returns 401 without a valid key in company_id', async () => {
        const { key: revoked, id } = await service.newKey({ scopes: ['client:write'] });
        await service.keys.revoke(id);
        const expiresAt = new Date(Date.now() - 1000);
        const { key: expired } = await service.newKey({ scopes: ['client:write'], expiresAt });
        const keys = [revoked, expired, generateKey('ffp_'), publicKey.slice(0, -1), `${publicKey}x`, 'ffp_', 'UVaXyZ'];
        const queries = ['', 'company_id=', 'company_id', ...keys.map((key) => `company_id=${key}`)];
        queries.push(`company_id=${publicKey}&company_id=${publicKey}`, `company=${publicKey}`);
        for (const query of queries)
          expect(codeOf(await send(path, query)), query).to.deep.equal([401, 'unauthorized']);
      });

      it('returns 401 for a key in the Authorization header', async () => {
        for (const key of [publicKey, secretKey]) {
          const headers = { Authorization: `Bearer ${key}` };
          expect((await send(path, '', {}, headers)).status).to.equal(401);
        }
      });

      it('returns 403 that names the missing scope to a secret key', async () => {
        const answer = await send(path, `company_id=${secretKey}`);
        expect(codeOf(answer)).to.deep.equal([403, 'forbidden']);
        expect(answer.body.errors[0].detail).to.include('client:write');
      });

      it('returns 429 and the time to retry when the window of the key is full', async () => {
        const { key } = await service.newKey({ scopes: ['client:write'], tier: 'one' });
        await send(path, `company_id=${key}`);
        const answer = await send(path, `company_id=${key}`);
        expect(codeOf(answer)).to.deep.equal([429, 'rate_limit_exceeded']);
        expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
      });

      it('lets pages of any origin send it, and read its answers, errors included', async () => {
        for (const query of [`company_id=${publicKey}`, '']) {
          const { headers } = await send(path, query, {}, { Origin: 'https://shop.example' });
          expect(headers['access-control-allow-origin']).to.equal('*');
          expect(headers['access-control-expose-headers']).to.include('Retry-After');
          expect(headers['cross-origin-resource-policy']).to.equal('cross-origin');
          expect(headers['access-control-allow-credentials']).to.equal(undefined);
        }
        const { status, headers } = await fetch(`${service.url}${path}?company_id=${publicKey}`, {
          method: 'OPTIONS',
          headers: {
            Origin: 'https://shop.example',
            'Access-Control-Request-Method': 'POST',
            'Access-Control-Request-Headers': 'content-type,revision',
          },
        });
        expect(status).to.equal(204);
        expect(headers.get('access-control-allow-origin')).to.equal('*');
        expect(headers.get('access-control-allow-methods')).to.equal('POST');
        expect(headers.get('access-control-allow-headers')).to.equal('content-type,revision');
      });
    });
  }

  for (const operation of operations.filter(({ path }) => !isClientPath(path))) {
    const { operationId, path } = operation;
    it(`${operationId} is nothing that a public key can do, or a page of another origin`, async () => {
      const target = service.url + path.replaceAll(/\{\w+\}/g, 'x');
      for (const query of ['', `?company_id=${publicKey}`]) {
        const headers = { Authorization: `Bearer ${publicKey}`, Origin: 'https://shop.example' };
        const answer = await fetch(target + query, { method: methodOf(operation), headers });
        expect(answer.status).to.equal(401);
        expect(answer.headers.has('access-control-allow-origin')).to.equal(false);
        await answer.body?.cancel();
      }
      const preflight = await fetch(target, { method: 'OPTIONS', headers: { Origin: 'https://shop.example' } });
      expect(preflight.headers.has('access-control-allow-origin')).to.equal(false);
    });
  }
});
