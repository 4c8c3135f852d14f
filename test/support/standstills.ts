import type { Context } from 'mocha';
import { STALL_MESSAGE, STALL_MS } from '../../src/process/event-loop-monitor.ts';
import { slowness } from './slowness.ts';

/** What stood still since the test began: a process or a thread that serves. */
let standstills: string[] = [];

/** A service in a thread has worked without a pause, for so much CPU time. */
export function collectStandstill(ms: number, what = 'the thread of a service'): void {
  if (ms >= STALL_MS * slowness()) standstills.push(`${what}, for ${ms} ms of CPU time`);
}

/** Looks for standstills in the log of a service that is a process. */
export function collectStandstills(output: string): void {
  for (const line of output.split('\n')) {
    const [, ms] = (line.includes(STALL_MESSAGE) && /"ms":(\d+)/.exec(line)) || [];
    if (ms) collectStandstill(Number(ms), 'the process of a service');
  }
}

/**
 * Fails every test in which a service stands still: nobody else would have been served meanwhile. A service in the process
 * of the tests is not watched, as there they do work of their own.
 */
export const standstillHooks = {
  // Not in an `afterEach`: where that fails, mocha runs nothing more.
  beforeEach(this: Context): void {
    const { currentTest: test } = this;
    const run = test?.fn as ((this: Context) => unknown) | undefined;
    if (!test || !run || run.length > 0) return;
    test.fn = async function () {
      standstills = [];
      await run.call(this as unknown as Context);
      if (standstills.length > 0) throw new Error(`Stood still: ${standstills.join('; ')}`);
    };
  },
};
