import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Operation } from 'openapi-backend';
import type { Client } from '../support/client.ts';
import { EventStream } from '../support/event-stream.ts';
import { examplesOfStatus, type Scenario, scenariosOf } from '../support/examples.ts';
import { addPeopleOfExamples, BY_OWNER, ownerOf } from '../support/people.ts';
import { until } from '../support/process.ts';
import { isStream, perform, SURFACES } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';
import { Translation } from '../support/translation.ts';

/** What answers by orders that are read a moment later, and is the same however often it is done. */
const OF_WHAT_IS_READ = ['refreshRfmSegments'];

// Generated from the specs, for every operation and example that they have, now and later.
for (const surface of SURFACES) {
  const { operations } = await loadSpec(surface);

  describe(`The story that the examples of the ${surface} spec tell, sent in its order`, () => {
    let service: TestService;
    let client: Client;
    let storeId: string;
    let stream: EventStream;
    let words: Translation;

    before(async () => {
      service = await TestService.start({ COMPAT_LISTS: 'true' });
      storeId = await service.newStore('default');
      const { key } = await service.newKey({ storeId, name: 'First key', tier: 'standard' });
      client = (await service.client()).as(key);
      stream = await EventStream.open(service.url, key);
      words = new Translation(service.url);
      // What the compatibility surface shows and can't create.
      if (surface === 'compat') await client.post('/v1/lists', { name: 'Newsletter' }, { expect: 201 });
      await addPeopleOfExamples(service, storeId);
      // What the list of refused requests shows.
      await client.post('/v1/events', { event_type: 'placed_order', profile: {} }, { expect: 400 });
    });
    after(async () => {
      stream.close();
      await service.stop();
    });

    for (const operation of operations) {
      if (isStream(operation)) {
        it(`${operation.operationId} tells what its spec shows`, async () => {
          for (const { value } of examplesOfStatus(operation, 200))
            await until(() => tells(String(value)), String(value));
        });
        continue;
      }
      for (const scenario of scenariosOf(operation)) {
        it(`${operation.operationId} answers ${scenario.name} with what its spec shows, and nothing else`, async () => {
          let difference = await send(operation, scenario);
          // What is kept a moment later comes to be as it is shown, and asking again changes nothing.
          if (difference && (operation.method === 'get' || OF_WHAT_IS_READ.includes(operation.operationId as string))) {
            const isShown = async () => {
              // As seldom as the rate limit allows.
              await sleep(200);
              difference = await send(operation, scenario);
              return difference === undefined;
            };
            await until(isShown, 'it is as shown').catch(() => {});
          }
          expect(difference).to.equal(undefined);
        });
      }
    }

    /** Sends the request of a scenario; what is not as its answer is shown. */
    async function send(operation: Operation, { parameters, body, answer }: Scenario): Promise<string | undefined> {
      const given = new Map(Object.entries(words.toService(parameters)));
      const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => take(given, name));
      const search = new URLSearchParams([...given]).toString();
      const isByOwner = BY_OWNER.has(operation.operationId as string);
      const { status, body: answered } = await perform(
        isByOwner ? client.inBrowser(await ownerOf(service, storeId)) : client,
        operation,
        path + (search && `?${search}`),
        words.toService(body),
      );
      return words.difference(answer, { status, body: answered });
    }

    /** Whether every message of a text of server-sent events has come, as it is shown. */
    function tells(text: string): boolean {
      const shown = [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, type, data = '']) => ({
        type,
        data: JSON.parse(data),
      }));
      const came = stream.messages.map(({ type, data }) => ({ type, data }));
      return shown.length > 0 && shown.every((one) => came.some((other) => words.difference(one, other) === undefined));
    }
  });
}

function take(given: Map<string, string>, name: string): string {
  const value = given.get(name) ?? '';
  given.delete(name);
  return value;
}
