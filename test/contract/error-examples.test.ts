import { expect } from 'chai';
import type { Operation } from 'openapi-backend';
import { Client, type Response } from '../support/client.ts';
import { examplesOfStatus, isAnswer, statusesOf } from '../support/examples.ts';
import { createDatabase } from '../support/postgres.ts';
import { pathWith, perform, SURFACES, UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';

// Generated from the specs, for every operation and status that they have, now and later.
for (const surface of SURFACES) {
  const { operations } = await loadSpec(surface);

  describe(`The errors that the ${surface} spec shows`, () => {
    let service: TestService;
    let withoutDatabase: TestService;
    let client: Client;
    let powerless: Client;

    before(async function () {
      this.timeout(60_000);
      service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=700,partner=3500,one=1' });
      client = await service.client();
      powerless = await service.client({ scopes: [] });
      const database = await createDatabase();
      withoutDatabase = await TestService.start({ WORKER_CONCURRENCY: '0' }, database);
      await database.drop();
    });
    after(() => Promise.all([service.stop(), withoutDatabase.stopService()]));

    /** Sends what is wrong with every operation, so that none is performed. */
    function send(to: Client, operation: Operation, id = UNKNOWN_ID, query = '?limit=x&page[size]=x') {
      return perform(to, operation, pathWith(operation, id) + query, operation.requestBody && {});
    }

    /** How to be answered with a status, whatever the operation. An overload is no single request's doing. */
    const provoke: Record<number, (operation: Operation) => Promise<Response<unknown>>> = {
      400: (operation) => send(client, operation, 'x'.repeat(256)),
      401: (operation) => send(new Client(service.url), operation),
      403: (operation) => send(powerless, operation),
      404: (operation) => send(client, operation, UNKNOWN_ID, ''),
      429: async (operation) => {
        const limited = await service.client({ tier: 'one' });
        await send(limited, operation);
        return send(limited, operation);
      },
      500: async (operation) => send(new Client(withoutDatabase.url, (await service.newKey()).key), operation),
    };

    for (const operation of operations) {
      for (const status of statusesOf(operation, '45').filter((one) => one in provoke)) {
        it(`${operation.operationId} answers ${status} as its spec shows it`, async () => {
          const answer = (await provoke[status]?.(operation)) as Response<unknown>;
          expect(answer.status).to.equal(status);
          const shown = examplesOfStatus(operation, status);
          expect(
            shown.some((example) => isAnswer(example, answer)),
            JSON.stringify(answer.body),
          ).to.equal(true);
        });
      }
    }
  });
}
