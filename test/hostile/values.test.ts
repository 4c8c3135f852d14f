import { expect } from 'chai';
import type { Operation } from 'openapi-backend';
import { Client } from '../support/client.ts';
import { forEachConcurrently } from '../support/for-each.ts';
import { SOAK_ROUNDS, spread } from '../support/sample.ts';
import {
  allOperations,
  exampleBody,
  hasPathId,
  methodOf,
  pathWith,
  prepareFor,
  UNKNOWN_ID,
} from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { NAMES, NO_JSON, UNSTORABLE, VALUES } from './corpus/values.ts';
import { blamedPaths, blamesPlace, checkResponse, expectHealth } from './judge.ts';
import { type Place, placesOf, valueAt, withoutKeys, withText } from './places.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const operations = (await allOperations()).filter(({ requestBody }) => requestBody !== undefined);

/** A variant stays with its item: where the id of that is another one, it is the variant that is refused. */
const BLAMED_AT: Readonly<Record<string, RegExp>> = {
  upsertCatalogItem: /^id variants\[\d+\]\.id$/,
  upsertCatalogItemsBulk: /^items\.\d+\.id items\[\d+\]\.variants\[\d+\]\.id$/,
};

// Generated from the specs, for every operation that takes a body, now and later.
describe('Hostile values in every place of a body', function () {
  if (SOAK_ROUNDS > 0) this.timeout(600_000);
  let service: TestService;
  let key: string;
  /** Puts the ids of what was created for an operation into a body. */
  let prepared: (body: string) => string;

  before(async () => {
    service = await TestService.startInThread({
      RATE_LIMIT_TIERS: 'standard=1000000,partner=1000000',
      COMPAT_LISTS: 'true',
    });
  });
  beforeEach(async () => {
    ({ key } = await service.newKey());
  });
  after(async () => {
    await expectHealth(service);
    await service.stop();
  });

  const send = (operation: Operation, body: string) =>
    checkResponse(body.slice(0, 500), () =>
      new Client(service.url, key).send(methodOf(operation), pathWith(operation, UNKNOWN_ID), prepared(body), {
        headers: JSON_TYPE,
      }),
    );

  for (const [turn, operation] of operations.entries()) {
    const example = exampleBody(operation);
    const places = placesOf(example);
    const cases = (texts: readonly string[]): { place: Place; text: string; body: string }[] =>
      places.flatMap((place) => {
        const document = String(place.at(-1)).match(/^(?:idempotency_key|unique_id)$/) ? example : withoutKeys(example);
        // A place that went with the key has nothing to be replaced.
        if (valueAt(document, place) === undefined) return [];
        return texts.map((text) => ({ place, text, body: withText(document, place, text) }));
      });
    // Prime numbers, not to meet the same values in each place.
    const values = spread(cases(VALUES), 101, turn);
    const unstorable = spread(cases(UNSTORABLE), 41, turn);
    const broken = spread(cases(NO_JSON), 23, turn);
    const objects = places.filter((place) => isObject(valueAt(example, place)));
    const named = spread(
      objects.flatMap((place) => NAMES.map((name) => ({ place, name }))),
      23,
      turn,
    );

    describe(`${operation.operationId}, ${places.length} places`, () => {
      // Else two requests at the same time could create a profile each for its identifiers.
      beforeEach(async () => {
        prepared = await prepareFor(operation, new Client(service.url, key));
        await send(operation, JSON.stringify(withoutKeys(example)));
      });

      it(`accepts ${values.length} values, or names their place`, () =>
        forEachConcurrently(values, async ({ place, text, body }) => {
          const answer = await send(operation, body);
          if (answer.status !== 400) return;
          const where = `${text.slice(0, 100)} at ${place.join('.')}: ${JSON.stringify(answer.body).slice(0, 500)}`;
          const { field } = (answer.body as any).error ?? {};
          const isOfAnother = BLAMED_AT[String(operation.operationId)]?.test(`${place.join('.')} ${field}`) ?? false;
          expect(isOfAnother || blamesPlace(answer.body, place), where).to.equal(true);
        }));

      it(`refuses or ignores ${unstorable.length} values that can't be stored`, () =>
        forEachConcurrently(unstorable, async ({ place, text, body }) => {
          const answer = await send(operation, body);
          const where = `${text} at ${place.join('.')}: ${JSON.stringify(answer.body).slice(0, 500)}`;
          // The compatibility surface ignores what it does not know; then no profile has the unknown id.
          const ignored = hasPathId(operation) ? [404] : [201, 202];
          expect(answer.status, where).to.be.oneOf([400, ...(operation.path.startsWith('/compat') ? ignored : [])]);
          if (answer.status === 400) expect(blamesPlace(answer.body, place), where).to.equal(true);
        }));

      it(`refuses ${broken.length} bodies that are not JSON`, () =>
        forEachConcurrently(broken, async ({ text, body }) => {
          const answer = await send(operation, body);
          expect(answer.status, text).to.equal(400);
          expect(blamedPaths(answer.body), text).to.deep.equal(
            operation.path.startsWith('/compat') ? [['data']] : [[]],
          );
        }));

      it(`accepts ${named.length} names, or refuses them by name`, () =>
        forEachConcurrently(named, async ({ place, name }) => {
          const object = JSON.stringify(valueAt(withoutKeys(example), place));
          const text = object.replace('{', `{${JSON.stringify(name)}:1${object === '{}' ? '' : ','}`);
          const answer = await send(operation, withText(withoutKeys(example), place, text));
          if (answer.status !== 400) return;
          expect(blamesPlace(answer.body, place), `${name.slice(0, 50)} at ${place.join('.')}`).to.equal(true);
        }));
    });
  }
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
