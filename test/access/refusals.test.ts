import { expect } from 'chai';
import { generateKey } from '../../src/domain/api-keys/api-keys.ts';
import { SCOPES, type Scope } from '../../src/domain/caller.ts';
import { Client } from '../support/client.ts';
import { forEachConcurrently } from '../support/for-each.ts';
import { isClientPath } from '../support/public-keys.ts';
import { spread } from '../support/sample.ts';
import { hasPathId, methodOf, pathWith, perform, queryNames, UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { loadSpec, type SurfaceName } from '../support/spec.ts';

interface Access {
  /** The code of an error, in the body of the surface. */
  codeOf(body: any): string;
  schemes: string[];
  /** Scheme words of the other surface, or of none. */
  foreign: string[];
}

const SURFACES: Record<SurfaceName, Access> = {
  native: { codeOf: (body) => body.error.code, schemes: ['Bearer', 'bearer'], foreign: ['Compat-API-Key', 'Basic'] },
  compat: {
    codeOf: (body) => body.errors[0].code,
    schemes: ['Bearer', 'Compat-API-Key', 'compat-api-key'],
    foreign: ['Basic', 'Klaviyo-API-Key'],
  },
};

/** Headers, of a key that is valid, that are not its scheme word, a space and the key. */
const malformed = (key: string): string[] => [
  'Bearer',
  key,
  `Bearer${key}`,
  `Bearer ${key}x`,
  `Bearer ${key.slice(0, -1)}`,
  `Bearer ${key.slice(4)}`,
  `Bearer ${key.toUpperCase()}`,
  `Bearer ${key.toLowerCase()}`,
  `Bearer "${key}"`,
  `Bearer ${key} ${key}`,
  `Bearer ${key},Bearer ${key}`,
  `Bearer Bearer ${key}`,
  `Bearer: ${key}`,
  `Bearer ${encodeURIComponent(`${key}\0`)}`,
  `Bearer ${'x'.repeat(8_000)}`,
  `Bearer ffk_${'0'.repeat(38)}`,
  'Bearer null',
  `Bearer ' or '1'='1`,
];

/** What they tell, whoever holds the key knows anyhow, or may read. */
const FOR_ANY_KEY = new Set(['getSession', 'getCurrentApiKey', 'listAccounts', 'getAccount', 'search']);

// Generated from the specs, for every operation that they have, now and later. Do not skip one.
for (const [surface, { codeOf, schemes, foreign }] of Object.entries(SURFACES)) {
  const { operations: all } = await loadSpec(surface as SurfaceName);
  // Those of pages and apps are in client-operations.test.ts.
  const operations = all.filter(({ path }) => !isClientPath(path));

  describe(`Every operation of the ${surface} surface`, () => {
    let service: TestService;

    before(async () => {
      service = await TestService.start({
        RATE_LIMIT_TIERS: 'standard=100000,partner=100000,one=1',
        COMPAT_LISTS: 'true',
      });
    });
    after(() => service.stop());

    for (const [turn, operation] of operations.entries()) {
      const { path: template, security = [], operationId } = operation;
      const method = methodOf(operation);
      const scopes = new Set(security.flatMap((alternative) => Object.values(alternative).flat()));

      /** Sends what is wrong with every operation: an unknown parameter, a known one, and no part of its body. */
      const send = (key: string | undefined, headers: Record<string, string> = {}, id = UNKNOWN_ID) => {
        const [parameter = 'no_such_parameter'] = queryNames(operation);
        const path = `${pathWith(operation, id)}?no_such_parameter=1&${parameter}=${'('.repeat(300)}`;
        return new Client(service.url, key).send<any>(method, path, operation.requestBody && '{}', {
          headers: { 'Content-Type': 'application/json', ...headers },
        });
      };

      describe(`${operationId}, ${method} ${template}`, () => {
        it('requires known scopes, or is one of the operations open to any key', () => {
          expect(scopes.size === 0).to.equal(FOR_ANY_KEY.has(operationId as string));
          expect(SCOPES).to.include.members([...scopes]);
        });

        it('returns 400 for an invalid request', async () => {
          const { key } = await service.newKey();
          const { status, body } = await send(key, {}, 'x'.repeat(256));
          expect(status).to.equal(400);
          expect(codeOf(body)).to.equal('validation_error');
        });

        it('returns 401 without a valid key', async () => {
          const { key: revoked, id } = await service.newKey();
          await service.keys.revoke(id);
          const { key: expired } = await service.newKey({ expiresAt: new Date(Date.now() - 1000) });
          const { key: valid } = await service.newKey();
          const wrongChecksum = valid.slice(0, -1) + (valid.endsWith('0') ? '1' : '0');
          const headers = [
            '',
            ...spread(malformed(valid), 5, turn),
            `Bearer ${wrongChecksum}`,
            `Bearer ${generateKey()}`,
            ...schemes.flatMap((scheme) => [`${scheme} ${revoked}`, `${scheme} ${expired}`]),
            ...foreign.map((scheme) => `${scheme} ${valid}`),
          ];
          await forEachConcurrently(headers, async (Authorization) => {
            const { status, body } = await send(undefined, Authorization ? { Authorization } : {});
            expect([status, codeOf(body)], Authorization).to.deep.equal([401, 'unauthorized']);
          });
        });

        for (const scope of scopes) {
          it(`returns 403 that names ${scope} to a key with all other scopes`, async () => {
            const { key } = await service.newKey({ scopes: SCOPES.filter((other) => other !== scope) });
            const { status, body } = await send(key);
            expect([status, codeOf(body)]).to.deep.equal([403, 'forbidden']);
            expect(JSON.stringify(body)).to.include(scope);
            const { key: powerless } = await service.newKey({ scopes: [] });
            expect((await send(powerless)).status).to.equal(403);
          });
        }

        it('returns 401 for a valid key in any other place', async () => {
          const { key } = await service.newKey();
          const headers = { 'X-API-Key': key, Cookie: `key=${key}`, 'Proxy-Authorization': `Bearer ${key}` };
          const path = `${pathWith(operation, UNKNOWN_ID)}?api_key=${key}&access_token=${key}`;
          const { status } = await new Client(service.url).send(method, path, undefined, { headers });
          expect(status).to.equal(401);
        });

        it('needs only its own scopes, under each authorization scheme', async () => {
          const { key } = await service.newKey({ scopes: [...scopes] as Scope[] });
          for (const scheme of schemes) {
            const { status } = await send(undefined, { Authorization: `${scheme} ${key}` });
            expect(status, scheme).to.be.oneOf([400, 404]);
          }
        });

        it('returns 429 and the time to retry when the window is full', async () => {
          const { key } = await service.newKey({ tier: 'one' });
          await send(key);
          const { status, headers, body } = await send(key);
          expect([status, codeOf(body)]).to.deep.equal([429, 'rate_limit_exceeded']);
          expect(Number(headers['retry-after'])).to.be.within(1, 60);
        });

        if (hasPathId(operation)) {
          it('returns 404 for an id that is unknown or malformed', async () => {
            const { key } = await service.newKey();
            for (const id of [UNKNOWN_ID, 'nothing', '%00']) {
              const client = new Client(service.url, key);
              const { status, body } = await perform(client, operation, pathWith(operation, id));
              expect([status, codeOf(body)], id).to.deep.equal([404, 'not_found']);
            }
          });
        }
      });
    }
  });
}
