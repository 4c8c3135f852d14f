import { expect } from 'chai';
import type { Operation } from 'openapi-backend';
import { Client, type Response } from '../support/client.ts';
import { type Example, examplesOfStatus, statusesOf } from '../support/examples.ts';
import { holdTable } from '../support/obstacles.ts';
import { addPerson, BY_OWNER, ownerOf } from '../support/people.ts';
import { createDatabase } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import { hasPathId, pathWith, perform, SURFACES, UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { loadSpec, type SurfaceName } from '../support/spec.ts';
import { Translation } from '../support/translation.ts';
import { BAD_REQUESTS } from './bad-requests.ts';

const SPECS = { native: await loadSpec('native'), compat: await loadSpec('compat') };
/** Operations that are sent at once: while one request is kept waiting, as many as are refused long before it gives up. */
const BATCH = 20;

type Answers = Map<Operation, Promise<Response<unknown>>>;

// Generated from the specs, for every operation, status and example that they have, now and later.
describe('The errors that the specs show', () => {
  let service: TestService;
  /** One that offers only what every deployment does. */
  let plain: TestService;
  let powerless: Client;
  /** Where nothing is, of the service and of the plain one. */
  let stranger: Client;
  let plainStranger: Client;
  /** What a service answers whose database is gone, and one that has too much to do. */
  let failures: Answers;
  let refusals: Answers;

  before(async () => {
    service = await TestService.start({ RATE_LIMIT_TIERS: 'standard=700,partner=3500,one=1', COMPAT_LISTS: 'true' });
    plain = await TestService.start({ WORKER_CONCURRENCY: '0' }, service.database);
    powerless = await service.client({ scopes: [] });
    stranger = await service.client();
    plainStranger = await plain.client();
    failures = await answersWithoutDatabase();
    refusals = await answersOfBusy();
  });
  after(async () => {
    await plain.stopService();
    await service.stop();
  });

  async function answersWithoutDatabase(): Promise<Answers> {
    const database = await createDatabase();
    const one = await TestService.start({ WORKER_CONCURRENCY: '0', COMPAT_LISTS: 'true' }, database);
    await database.drop();
    const client = new Client(one.url, stranger.key);
    const answers = await inBatches((operations) => sendAll(client, operations));
    await one.stopService();
    return answers;
  }

  /** Of one that works at a single request at a time, while that is an event that can't be written. */
  async function answersOfBusy(): Promise<Answers> {
    const one = await TestService.start({ MAX_REQUESTS: '1', WORKER_CONCURRENCY: '0', COMPAT_LISTS: 'true' });
    const client = await one.client();
    const event = { event_type: 'placed_order', profile: { external_id: 'cust_1001' } };
    const answersTo = async (operations: readonly Operation[]): Promise<Answers> => {
      const release = await holdTable(one.database, 'event', 'share');
      const waiting = client.post('/v1/events', event);
      const answers = await until(() => one.database.isWaiting(), 'it has too much to do')
        .then(() => sendAll(client, operations))
        .finally(release);
      // Where even this one gave up, on a slow machine, it had not enough to do in the end.
      return (await waiting).status === 201 ? answers : answersTo(operations);
    };
    const answers = await inBatches(answersTo);
    await one.stop();
    return answers;
  }

  for (const surface of SURFACES) describe(`of the ${surface} surface`, () => describeSurface(surface));

  function describeSurface(surface: SurfaceName): void {
    const { operations } = SPECS[surface];

    const owner = async (): Promise<Client> => {
      const storeId = await service.newStore();
      await addPerson(service, storeId, { name: 'Ada', role: 'owner', email: `ada@${storeId}.example` });
      return new Client(service.url).inBrowser(await ownerOf(service, storeId));
    };

    /** How to be answered with a status, whatever the operation. */
    const provoke: Record<number, (operation: Operation) => Promise<Response<unknown>>> = {
      401: (operation) => send(new Client(service.url), operation),
      403: (operation) => send(powerless, operation),
      404: async (operation) => {
        const other = hasPathId(operation) ? stranger : plainStranger;
        const isByOwner = BY_OWNER.has(operation.operationId as string);
        return perform(isByOwner ? await owner() : other, operation, pathWith(operation, UNKNOWN_ID));
      },
      429: async (operation) => {
        const limited = await service.client({ tier: 'one' });
        await send(limited, operation);
        return send(limited, operation);
      },
      500: async (operation) => failures.get(operation) as Promise<Response<unknown>>,
      502: async (operation) => refusals.get(operation) as Promise<Response<unknown>>,
      503: async (operation) => refusals.get(operation) as Promise<Response<unknown>>,
    };

    for (const operation of operations) {
      for (const status of statusesOf(operation, '45').filter((one) => one in provoke)) {
        it(`${operation.operationId} answers ${status} as its spec shows it`, async () => {
          const answer = (await provoke[status]?.(operation)) as Response<unknown>;
          expect(answer.status).to.equal(status);
          const shown = examplesOfStatus(operation, status);
          // What can be missing is what the path names.
          if (status === 404) expect(shown.length).to.be.at.most(operation.path.split('{').length);
          const differences = shown.map(({ value }) => differenceOf(value, answer.body));
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
  }

  function differenceOf(shown: unknown, answered: unknown): string | undefined {
    return new Translation(service.url).difference(...([shown, answered].map(general) as [unknown, unknown]));
  }
});

/** Sends what is wrong with every operation, so that none is performed. */
function send(to: Client, operation: Operation, id = UNKNOWN_ID, query = '?limit=x&page[size]=x') {
  return perform(to, operation, pathWith(operation, id) + query, operation.requestBody && {});
}

/** Sends all at once. That an answer is not as its spec says is thrown where it is asked for. */
async function sendAll(to: Client, operations: readonly Operation[]): Promise<Answers> {
  const answers = new Map(operations.map((operation) => [operation, send(to, operation)]));
  await Promise.allSettled(answers.values());
  return answers;
}

/** The answers to every operation, from those to a few at a time. */
async function inBatches(answersTo: (operations: readonly Operation[]) => Promise<Answers>): Promise<Answers> {
  const operations = SURFACES.flatMap((surface) => SPECS[surface].operations);
  const answers: Answers = new Map();
  for (let i = 0; i < operations.length; i += BATCH) {
    for (const [operation, answer] of await answersTo(operations.slice(i, i + BATCH))) answers.set(operation, answer);
  }
  return answers;
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
