import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from 'mocha';
import { monitorEventLoop, STALL_MESSAGE } from '../../src/process/event-loop-monitor.ts';

/** What stood still since the test began: this process, with the services in it, or one that a test has started. */
let standstills: string[] = [];
let isExpected = false;

/** For a test whose own work, or what it starts in this process, takes longer in one piece. */
export function expectStandstills(): void {
  isExpected = true;
}

/** Does some work in this process that may take its time, such as the start of a service, which serves nobody yet. */
export async function withoutStandstills<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = standstills;
  try {
    return await work();
  } finally {
    await sleep(); // until the watch has looked
    standstills = before;
  }
}

/** Looks for standstills in the log of a service. */
export function collectStandstills(output: string): void {
  for (const line of output.split('\n')) if (line.includes(STALL_MESSAGE)) standstills = [...standstills, line];
}

/**
 * Milliseconds of work in one piece in the process of the tests: they do work of their own in it, beside that of the
 * services that run there.
 */
const OF_TESTS_MS = 500;

monitorEventLoop((ms) => {
  if (ms >= OF_TESTS_MS) standstills = [...standstills, `the process of the tests, for ${ms} ms`];
});

/** No service runs there: what stands still is the test alone, for as long as the machine takes for its work. */
const UNIT_TESTS = join(import.meta.dirname, '../unit/');

/** Fails every test beside a service in which a process stands still: nobody else would have been served meanwhile. */
export const standstillHooks = {
  // Not in an `afterEach`: where that fails, mocha runs nothing more.
  beforeEach(this: Context): void {
    const { currentTest: test } = this;
    const run = test?.fn as ((this: Context) => unknown) | undefined;
    if (!test || !run || run.length > 0 || test.file?.startsWith(UNIT_TESTS)) return;
    test.fn = async function () {
      standstills = [];
      isExpected = false;
      await run.call(this as unknown as Context);
      if (!isExpected && standstills.length > 0) throw new Error(`Stood still: ${standstills.join('; ')}`);
    };
  },
};
