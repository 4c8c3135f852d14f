import { expect } from 'chai';
import type { Operation } from 'openapi-backend';
import type { Client } from '../support/client.ts';
import {
  type Answer,
  examplesOfStatus,
  Ids,
  isAnswer,
  queryExamples,
  requestExamples,
  statusesOf,
} from '../support/examples.ts';
import { until } from '../support/process.ts';
import { isStream, pathWith, perform, SURFACES, UNKNOWN_ID } from '../support/samples.ts';
import { TestService } from '../support/service.ts';
import { loadSpec } from '../support/spec.ts';

// Generated from the specs, for every operation and example that they have, now and later.
for (const surface of SURFACES) {
  const { operations } = await loadSpec(surface);

  describe(`The requests that the ${surface} spec shows, sent in its order`, () => {
    // The ids that the service gives in the place of those that the spec shows.
    const ids = new Ids();
    let service: TestService;
    let client: Client;

    before(async () => {
      service = await TestService.start();
      client = await service.client();
    });
    after(() => service.stop());

    for (const operation of operations.filter((one) => !isStream(one))) {
      it(`${operation.operationId} answers with what its spec shows, and with all of that`, async () => {
        const attempt = async () => differences(operation, await performExamples(operation));
        let found = await attempt();
        // What a job comes to takes a moment, and asking again changes nothing.
        if (found.length > 0 && operation.method === 'get') {
          const done = async () => {
            found = await attempt();
            return found.length === 0;
          };
          await until(done, `nothing is wrong any more: ${found}`);
        }
        expect(found).to.deep.equal([]);
      });
    }

    /** Answers that are not shown, and what is shown and was not answered. Learns the ids of what fits. */
    function differences(operation: Operation, answers: Answer[]): string[] {
      const shown = statusesOf(operation, '2').flatMap((status) => examplesOfStatus(operation, status));
      const unanswered = new Set(shown);
      const notShown = answers.filter((answer) => {
        const sameName = shown.filter(({ name }) => name === answer.to);
        const fitting = (sameName.length > 0 ? sameName : shown).filter((example) => isAnswer(example, answer));
        for (const example of fitting) {
          ids.learn(answer.body, example.value);
          unanswered.delete(example);
        }
        return fitting.length === 0;
      });
      return [
        ...notShown.map(({ to, status, body }) => `${to} is answered with ${status}: ${JSON.stringify(body)}`),
        ...[...unanswered].map(({ name }) => `nothing is answered with ${name}`),
      ];
    }

    async function performExamples(operation: Operation): Promise<Answer[]> {
      const path = pathOf(operation);
      const bodies = requestExamples(operation);
      if (bodies.length === 0) return performQueries(operation, path);
      const answers: Answer[] = [];
      for (const { name, value } of bodies) {
        answers.push({ to: name, ...(await perform(client, operation, path, value)) });
      }
      return answers;
    }

    /** None of the parameters is required; their examples go together, or each by itself. */
    async function performQueries(operation: Operation, path: string): Promise<Answer[]> {
      const send = (values: [string, string][]) => perform(client, operation, `${path}?${new URLSearchParams(values)}`);
      const values = queryExamples(operation).map(([name, value]): [string, string] => [name, ids.replace(value)]);
      const plain = await send([]);
      if (values.length === 0) return [plain];
      const together = await send(values);
      if (together.status < 300) return [plain, together];
      return [plain, ...(await Promise.all(values.map((value) => send([value]))))];
    }

    /** With the id that the spec shows in the answer; else the one that it shows as the parameter. */
    function pathOf(operation: Operation): string {
      const [shown] = statusesOf(operation, '2').flatMap((status) => examplesOfStatus(operation, status));
      return pathWith(operation, ids.of(shown?.value)[0] ?? ids.of(operation.parameters)[0] ?? UNKNOWN_ID);
    }
  });
}
