import { expect } from 'chai';
import type { Operation } from 'openapi-backend';
import { Client } from '../support/client.ts';
import { forEachConcurrently } from '../support/for-each.ts';
import { BY_OWNER } from '../support/people.ts';
import { isClientPath, withCompanyId } from '../support/public-keys.ts';
import { type Answer, exchange } from '../support/raw.ts';
import { spread } from '../support/sample.ts';
import {
  allOperations,
  exampleBody,
  hasPathId,
  isStream,
  methodOf,
  pathWith,
  prepareFor,
  queryNames,
  requiredQuery,
  UNKNOWN_ID,
} from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';
import { EMPTY_QUERIES, HEADERS, IDS, PARAMETERS, PATHS, QUERIES } from './corpus/targets.ts';
import { checkResponse, expectHealth } from './judge.ts';
import { withoutKeys } from './places.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const operations = await allOperations();

/** What an operation answers to its example, with a key of a store that has no identity provider, and ids that are none. */
function outcomesOf(operation: Operation): number[] {
  const { operationId = '' } = operation;
  if (hasPathId(operation) || operationId === 'getIdentityProvider') return [404];
  return BY_OWNER.has(operationId) ? [403] : [200, 201, 202];
}

// Generated from the specs, for every operation that they have, now and later.
describe('Hostile targets and headers', () => {
  let service: TestService;
  let key: string;

  before(async () => {
    service = await TestService.startInThread({
      RATE_LIMIT_TIERS: 'standard=100000,partner=100000',
      COMPAT_LISTS: 'true',
    });
    ({ key } = await service.newKey());
  });
  after(async () => {
    await expectHealth(service);
    await service.stop();
  });

  /** Puts the ids of what was created for an operation into its example. */
  let prepared: (body: string) => string;
  const exampleOf = (operation: Operation): string | undefined =>
    operation.requestBody && prepared(JSON.stringify(withoutKeys(exampleBody(operation))));

  /** Sends a target as it is: `fetch` would tidy it up. Fails where an error is not one of the surface. */
  async function send(method: string, target: string, body = ''): Promise<Answer> {
    const keyed = isClientPath(target) ? await withCompanyId(target, key) : target;
    const head = [
      `${method} ${keyed} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${key}`,
      'Connection: close',
      ...(body && ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ];
    const answer = await checkResponse(`${method} ${target.slice(0, 200)}`, async () => {
      const { answers } = await exchange(service.url, `${head.join('\r\n')}\r\n\r\n${body}`);
      return answers[0] as Answer;
    });
    const spec = await loadSpec(/^(?:https:..[^/]+)?\/+compat\/v1(?:[/?]|$)/.test(target) ? 'compat' : 'native');
    if (answer.status >= 400 && method !== 'HEAD') expect(spec.errorProblems(answer), target).to.deep.equal([]);
    return answer;
  }

  for (const [turn, operation] of operations.entries()) {
    const { operationId, path } = operation;
    const ids = spread(IDS, 5, turn);
    const paths = spread(PATHS, 5, turn);
    const methods = spread(METHODS, 5, turn);
    const queries = spread(QUERIES, 5, turn);
    const emptyQueries = spread(EMPTY_QUERIES, 3, turn);
    const headers = spread(HEADERS, 5, turn);
    const method = methodOf(operation);
    const isCompat = path.startsWith('/compat');
    const target = pathWith(operation, UNKNOWN_ID);

    describe(`${operationId}, ${method} ${path}`, () => {
      before(async () => {
        prepared = await prepareFor(operation, new Client(service.url, key));
      });

      if (hasPathId(operation)) {
        it(`finds nothing under ${ids.length} ids`, () =>
          forEachConcurrently(ids, async (id) => {
            const { status } = await send(method, pathWith(operation, id), exampleOf(operation));
            expect(status, id).to.be.oneOf([400, 404]);
          }));
      }

      it(`survives ${paths.length} paths that resemble its own`, () =>
        forEachConcurrently(paths, async (change) => {
          await send(method, change(target), exampleOf(operation));
        }));

      it(`survives ${methods.length} methods`, () =>
        forEachConcurrently(methods, async (other) => {
          // Also one that takes the end of this path for an id.
          const isOne = operations.some(
            (one) => methodOf(one) === other && new RegExp(`^${one.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
          );
          const { status } = await send(other, target, '{}');
          // A browser asks whether a page may.
          const isPreflight = other === 'OPTIONS' && isClientPath(path);
          if (!isOne && other !== 'HEAD') expect(status, other).to.equal(isPreflight ? 204 : 404);
        }));

      it(`${isCompat ? 'ignores' : 'refuses'} ${queries.length} queries`, () =>
        forEachConcurrently(queries, async (query) => {
          const plain = await send(method, target, exampleOf(operation));
          const { status, body } = await send(method, target + query, exampleOf(operation));
          expect(status, query).to.be.oneOf(isCompat ? [plain.status, 201] : [400]);
          if (!isCompat) expect(body.error.field, query).to.be.a('string');
        }));

      const needed = requiredQuery(operation);
      it(`${needed ? 'asks for what is missing in' : 'ignores'} ${emptyQueries.length} empty queries`, () =>
        forEachConcurrently(emptyQueries, async (query) => {
          const { status } = await send(method, target + query, exampleOf(operation));
          expect(status === 400).to.equal(needed !== '');
        }));

      for (const [i, name] of queryNames(operation).entries()) {
        const values = spread(PARAMETERS, 5, turn + i);

        it(`survives ${3 * values.length} values of ${name}, or names a parameter`, () =>
          forEachConcurrently(values, async (value) => {
            for (const query of [`${name}=${value}`, `${name}=${value}&${name}=1`, `${name}[]=${value}`]) {
              const { status, body } = await send(method, `${target}?${query}`, exampleOf(operation));
              if (status !== 400) continue;
              const field = isCompat ? body.errors[0].source.parameter : body.error.field;
              // Or another that it does not go with.
              const isDeclared = queryNames(operation).some((declared) => field.startsWith(declared));
              expect(isDeclared, `${query.slice(0, 100)}: ${field}`).to.equal(true);
            }
          }));
      }

      if (!isStream(operation)) {
        it(`is not affected by ${headers.length} headers`, () =>
          forEachConcurrently(headers, async (some) => {
            // A store may have ten feeds, and save its audit log once at a time.
            const isBounded = ['createCatalogFeed', 'exportAuditEntries'].includes(operation.operationId as string);
            const own = isBounded ? (await service.newKey()).key : key;
            const what = JSON.stringify(some).slice(0, 200);
            const { status } = await checkResponse(what, () =>
              new Client(service.url, own).send(method, target + needed, exampleOf(operation), {
                headers: { 'Content-Type': 'application/json', ...some },
              }),
            );
            expect(status, what).to.be.oneOf(outcomesOf(operation));
          }));
      }
    });
  }
});
