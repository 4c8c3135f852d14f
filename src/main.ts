import cluster from 'node:cluster';
import { join, resolve } from 'node:path';
import { startCluster, startClusterWorker } from './cluster.ts';
import { exitWithHelpIfAsked, IS_RELEASE } from './command/help.ts';
import { fail, type Running, runUntilSignal } from './command/run-until-signal.ts';
import { type Config, readConfig } from './config.ts';
import { SCOPES } from './domain/caller.ts';
import { inviteOwner, setupLink } from './domain/people/invitations.ts';
import { findStore } from './domain/stores.ts';
import { createLog, type Log } from './process/log.ts';
import { withProgress } from './process/progress.mjs';
import { type Service, startService } from './service.ts';
import { DEFAULT_STORE } from './storage.ts';

function main(): void {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  runUntilSignal(log, () => (cluster.isPrimary ? startGreeting(config, log) : startClusterWorker(config, log)));
}

async function startGreeting(config: Config, log: Log): Promise<Running> {
  if (config.workers > 1) {
    const service = await startCluster(config, log, withProgress);
    await printGreeting(service, config);
    return service;
  }
  const service = await startService(config, log, { isWarm: true, progress: withProgress });
  await printGreeting(service, config);
  return service;
}

/** Prints URLs and, on the first start, the first API key. Not through the log, which must not contain keys. */
async function printGreeting(
  { url, keys, database }: Service,
  { databaseUrl, dataDir, secretKeys }: Config,
): Promise<void> {
  const lines = [
    `Footfall is listening on ${url}`,
    `  dashboard ${url}/dashboard`,
    `  docs      ${url}/docs`,
    `  specs     ${url}/openapi/native.yaml, ${url}/openapi/compat.yaml`,
  ];
  if (!databaseUrl)
    lines.push(`  database  ${resolve(dataDir)}; its DATABASE_URL is in ${join(resolve(dataDir), 'database-url')}`);
  if (secretKeys.length === 0)
    lines.push('  secrets   are encrypted with a key in the database, as SECRET_KEY is not set');
  if ((await keys.list()).length === 0) {
    const storeId = (await findStore(database, DEFAULT_STORE)) as string;
    const { key } = await keys.create({ storeId, name: 'First key', scopes: SCOPES, tier: 'standard' });
    lines.push('', `  API key of the store "${DEFAULT_STORE}", shown only this once:`, `  ${key}`);
    lines.push('  Sign in to the dashboard with it, or become the owner of the store, once and within 24 hours, at');
    lines.push(`  ${setupLink(url, await inviteOwner(database.sql, storeId))}`);
  }
  console.log(['', ...lines, ''].join('\n'));
}

exitWithHelpIfAsked(`Starts the service, on http://127.0.0.1:3000 unless HOST and PORT say otherwise, and stops it on Ctrl-C.
Usage: ${IS_RELEASE ? 'npx footfall' : 'npm start'}
Without DATABASE_URL it starts its own Postgres, with its data in .data. The first start prints an API key, and a link for the owner.
Settings are environment variables: see Configuration in README.md.`);

try {
  main();
} catch (error) {
  fail(error);
}
