import { expect } from 'chai';
import type { Operation } from 'openapi-backend';
import { Client } from '../support/client.ts';
import { forEachConcurrently } from '../support/for-each.ts';
import { BY_OWNER } from '../support/people.ts';
import { spread } from '../support/sample.ts';
import { allOperations, exampleBody, methodOf, pathWith, prepareFor, UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { ACCEPTED, type Envelope, REFUSED } from './corpus/bodies.ts';
import { checkResponse, expectHealth } from './judge.ts';
import { withoutKeys } from './places.ts';

const operations = (await allOperations()).filter(({ requestBody }) => requestBody !== undefined);

// Generated from the specs, for every operation that takes a body, now and later.
describe('Hostile bodies', () => {
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

  async function send(operation: Operation, what: string, envelope: Envelope) {
    const prepared = await prepareFor(operation, new Client(service.url, key));
    const valid = prepared(JSON.stringify(withoutKeys(exampleBody(operation))));
    const body = envelope.bytes(valid);
    const headers = { 'Content-Type': 'application/json', ...envelope.headers };
    const path = pathWith(operation, UNKNOWN_ID);
    return checkResponse(what, () => new Client(service.url, key).send(methodOf(operation), path, body, { headers }));
  }

  for (const [turn, operation] of operations.entries()) {
    // Pages send JSON as a text.
    const isTaken = (what: string) => what === 'text/plain' && operation.path.includes('/client/');
    const refused = spread(
      Object.entries(REFUSED).filter(([what]) => !isTaken(what)),
      7,
      turn,
    );
    const accepted = spread(Object.entries(ACCEPTED), 7, turn);

    it(`of ${refused.length} kinds are refused by ${operation.operationId}`, () =>
      forEachConcurrently(refused, async ([what, envelope]) => {
        const { status, body } = await send(operation, what, envelope);
        expect(status, what).to.equal(400);
        expect(JSON.stringify(body), what).to.include('validation_error');
      }));

    it(`in ${accepted.length} wrappings are accepted by ${operation.operationId}`, () =>
      forEachConcurrently(accepted, async ([what, envelope]) => {
        const { status } = await send(operation, what, envelope);
        // A key is refused what owners do who are signed in.
        if (BY_OWNER.has(operation.operationId as string)) expect(status, what).to.equal(403);
        else expect(status, what).to.be.oneOf(operation.path.includes('{') ? [200, 201, 202, 404] : [200, 201, 202]);
      }));
  }
});
