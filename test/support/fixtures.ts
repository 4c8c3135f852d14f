import { stopBrowser } from './browser.ts';
import { startPostgres, stopPostgres } from './postgres.ts';
import { startRedis, stopRedis } from './redis.ts';

/** Mocha runs these once, before and after everything. */
export async function mochaGlobalSetup(): Promise<void> {
  await Promise.all([startPostgres(), startRedis()]);
}

export async function mochaGlobalTeardown(): Promise<void> {
  await Promise.all([stopPostgres(), stopRedis(), stopBrowser()]);
}
