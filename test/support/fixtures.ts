import { stopBrowser } from './browser.ts';
import { runBuiltThreads } from './built-threads.ts';
import { closeMeasures, measureHooks, openMeasures } from './measures.ts';
import { freeMemory, keepInMemory } from './memory.ts';
import { startPostgres, stopPostgres } from './postgres.ts';
import { startRedis, stopRedis } from './redis.ts';
import { measureSlowness } from './slowness.ts';
import { standstillHooks } from './standstills.ts';

// Building takes longer than it saves a run of a few files, whose author may have changed the source.
if (process.env.MOCHA_WORKER_ID !== undefined) runBuiltThreads();

/** Mocha runs these once, before and after everything, in the process that the processes of tests descend from. */
export async function mochaGlobalSetup(): Promise<void> {
  keepInMemory();
  openMeasures();
  measureSlowness();
  const started = await Promise.allSettled([startPostgres(), startRedis()]);
  const failed = started.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (!failed) return;
  // Mocha would wait for the one that runs, for ever.
  await mochaGlobalTeardown();
  throw failed.reason;
}

export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all([stopPostgres(), stopRedis()]);
  closeMeasures();
  freeMemory();
}

export const mochaHooks = {
  beforeAll: measureHooks.beforeAll,
  /** After everything; after each file where files run in processes of their own, with which the browser of each ends. */
  afterAll: [...(process.env.MOCHA_WORKER_ID === undefined ? [stopBrowser] : []), measureHooks.afterAll],
  ...standstillHooks,
};
