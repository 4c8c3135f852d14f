import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'mocha';
import { STANDSTILL, watchEventLoop } from '../../src/event-loop-watch.ts';

/** What stood still since the test began: this process, with the services in it, or one that a test has started. */
let standstills: string[] = [];
let isExpected = false;

/** For a test whose own work, or what it starts in this process, takes longer in one piece. */
export function expectStandstills(): void {
  isExpected = true;
}

/** What starts in this process may take its time: it does not serve yet. */
export async function forgetStandstills(): Promise<void> {
  await sleep(); // until the watch has looked
  standstills = [];
}

/** Looks for standstills in the log of a service. */
export function lookThrough(output: string): void {
  for (const line of output.split('\n')) if (line.includes(STANDSTILL)) standstills.push(line);
}

watchEventLoop((ms) => standstills.push(`the process of the tests, for ${ms} ms`));

/** Fails every test in which a process stands still: nobody else would have been served meanwhile. */
export const standstillHooks = {
  // Not in an `afterEach`: where that fails, mocha runs nothing more.
  beforeEach(this: Context): void {
    const { currentTest: test } = this;
    const run = test?.fn as ((this: Context) => unknown) | undefined;
    if (!test || !run || run.length > 0) return;
    test.fn = async function () {
      standstills = [];
      isExpected = false;
      await run.call(this as unknown as Context);
      if (!isExpected && standstills.length > 0) throw new Error(`Stood still: ${standstills.join('; ')}`);
    };
  },
};
