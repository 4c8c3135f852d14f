import { expect } from 'chai';
import type { Log } from '../../src/process/log.ts';
import { logFailuresOnce } from '../../src/process/log-failures-once.ts';

describe('a task whose failures are logged once', () => {
  /** Runs a task that ends in these ways, an error or none, one after the other; what was logged after each. */
  async function linesAfter(outcomes: (Error | undefined)[]): Promise<number[]> {
    const lines: unknown[] = [];
    const log = { warn: (fields: unknown, message: string) => lines.push([fields, message]) } as unknown as Log;
    const rest = [...outcomes];
    const run = logFailuresOnce(log, 'could not look', async () => {
      const error = rest.shift();
      if (error) throw error;
    });
    const counts: number[] = [];
    for (const _ of outcomes) {
      await run();
      counts.push(lines.length);
    }
    const first = outcomes.find((each) => each !== undefined);
    expect(lines[0]).to.deep.equal(first && [{ err: first }, 'could not look']);
    return counts;
  }

  const [one, another] = [new Error('away'), new Error('still away')];

  it('says nothing while the task succeeds', async () => {
    expect(await linesAfter([undefined, undefined])).to.deep.equal([0, 0]);
  });

  it('logs the first failure of an outage, with the error, and none of those that follow', async () => {
    expect(await linesAfter([one, another, one])).to.deep.equal([1, 1, 1]);
  });

  it('logs the next outage again, once the task has succeeded', async () => {
    expect(await linesAfter([one, one, undefined, another, one])).to.deep.equal([1, 1, 1, 2, 2]);
  });
});
