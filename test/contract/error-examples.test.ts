import { expect } from 'chai';
import type { Operation } from 'openapi-backend';
import { Client, type Response } from '../support/client.ts';
import { type Example, examplesOfStatus, statusesOf } from '../support/examples.ts';
import { holdTable } from '../support/obstacles.ts';
import { createDatabase } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { hasPathId, pathWith, perform, SURFACES, UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';
import { Translation } from '../support/translation.ts';
import { BAD_REQUESTS } from './bad-requests.ts';

// Generated from the specs, for every operation, status and example that they have, now and later.
for (const surface of SURFACES) {
  const { operations } = await loadSpec(surface);

  describe(`The errors that the ${surface} spec shows`, () => {
    let service: TestService;
    /** One that offers only what every deployment does. */
    let plain: TestService;
    let withoutDatabase: TestService;
    /** One that works at a single request at a time, and what can make it wait with that. */
    let busy: TestService;
    let powerless: Client;

    before(async function () {
      this.timeout(60_000);
      service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=700,partner=3500,one=1', COMPAT_LISTS: 'true' });
      plain = await TestService.start({ WORKER_CONCURRENCY: '0' }, service.database);
      powerless = await service.client({ scopes: [] });
      const database = await createDatabase();
      withoutDatabase = await TestService.start({ WORKER_CONCURRENCY: '0', COMPAT_LISTS: 'true' }, database);
      await database.drop();
      busy = await TestService.start({ MAX_REQUESTS: '1', WORKER_CONCURRENCY: '0', COMPAT_LISTS: 'true' });
    });
    after(async () => {
      await plain.stopService();
      await Promise.all([service.stop(), withoutDatabase.stopService(), busy.stop()]);
    });

    /** Sends what is wrong with every operation, so that none is performed. */
    function send(to: Client, operation: Operation, id = UNKNOWN_ID, query = '?limit=x&page[size]=x') {
      return perform(to, operation, pathWith(operation, id) + query, operation.requestBody && {});
    }

    /** Sends it to a service that has enough to do with an event that can't be written. */
    async function sendToBusy(operation: Operation): Promise<Response<unknown>> {
      const client = await busy.client();
      const release = await holdTable(busy.database, 'event', 'share');
      const waiting = client.post('/v1/events', { event_type: 'placed_order', profile: { external_id: 'cust_1001' } });
      try {
        await until(() => busy.database.isWaiting(), 'it has too much to do');
        return await send(client, operation);
      } finally {
        await release();
        await waiting;
      }
    }

    /** How to be answered with a status, whatever the operation. */
    const provoke: Record<number, (operation: Operation) => Promise<Response<unknown>>> = {
      401: (operation) => send(new Client(service.url), operation),
      403: (operation) => send(powerless, operation),
      404: async (operation) => {
        const asked = hasPathId(operation) ? service : plain;
        return perform(await asked.client(), operation, pathWith(operation, UNKNOWN_ID));
      },
      429: async (operation) => {
        const limited = await service.client({ tier: 'one' });
        await send(limited, operation);
        return send(limited, operation);
      },
      500: async (operation) => send(new Client(withoutDatabase.url, (await service.newKey()).key), operation),
      502: sendToBusy,
      503: sendToBusy,
    };

    for (const operation of operations) {
      for (const status of statusesOf(operation, '45').filter((one) => one in provoke)) {
        it(`${operation.operationId} answers ${status} as its spec shows it`, async () => {
          const answer = (await provoke[status]?.(operation)) as Response<unknown>;
          expect(answer.status).to.equal(status);
          const differences = examplesOfStatus(operation, status).map(({ value }) => differenceOf(value, answer.body));
          expect(differences).to.include(undefined);
        });
      }
    }

    for (const { operationId, name, value } of different400s(operations)) {
      it(`${operationId} answers 400 with ${name} as its spec shows it`, async () => {
        const request = BAD_REQUESTS[surface][operationId]?.[name];
        if (!request) throw new Error(`bad-requests.ts has no request that ${operationId} answers with ${name}`);
        const { status, body } = await request(await service.client());
        expect([status, differenceOf(value, body)]).to.deep.equal([400, undefined]);
      });
    }

    function differenceOf(shown: unknown, answered: unknown): string | undefined {
      return new Translation(service.url).difference(...([shown, answered].map(general) as [unknown, unknown]));
    }
  });
}

/** Each 400 that is shown, of the first operation that shows it: some share theirs. */
function different400s(operations: readonly Operation[]): (Example & { operationId: string })[] {
  const all = operations.flatMap((operation) =>
    examplesOfStatus(operation, 400).map((example) => ({ ...example, operationId: operation.operationId as string })),
  );
  return [...new Map(all.toReversed().map((one) => [JSON.stringify([one.name, one.value]), one])).values()].reverse();
}

/** Without the scope and the limit, which are the operation's and the key's. */
function general(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body)
      .replace(/the scope [\w:]+/, 'the scope')
      .replace(/More than \d+/, 'More than'),
  );
}
