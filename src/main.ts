import { join, resolve } from 'node:path';
import { type Config, readConfig } from './config.ts';
import { SCOPES } from './domain/api-keys.ts';
import { findStore } from './domain/stores.ts';
import { createLog, type Log } from './log.ts';
import { DEFAULT_STORE, type Service, startService } from './service.ts';
import { explain } from './start-error.ts';

/** Milliseconds from a signal to the end, at most. Requests end within 10 s; the rest is the database's. */
const STOP_MS = 45_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const started = start(config, log);

  let stopping = false;
  const stop = (signal: string) => {
    // A terminal signals npm and the service alike, and npm passes it on: once is enough.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'draining');
    setTimeout(() => exit(log, 1, 'not stopped in time'), STOP_MS).unref();
    // One that comes during the start is heeded after it, so that nothing is left behind.
    started.then((service) => service.stop()).then(() => exit(log, 0, 'stopped'), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await started;
}

async function start(config: Config, log: Log): Promise<Service> {
  const service = await startService(config, log);
  await greet(service, config);
  return service;
}

/** Tells a person where things are and, the first time, the key to them. Not through the log: it must hold no key. */
async function greet({ url, keys, database }: Service, { databaseUrl, dataDir }: Config): Promise<void> {
  const lines = [
    `Footfall is listening on ${url}`,
    `  docs      ${url}/docs`,
    `  specs     ${url}/openapi/native.yaml`,
  ];
  if (!databaseUrl)
    lines.push(`  database  ${resolve(dataDir)}; its DATABASE_URL is in ${join(resolve(dataDir), 'database-url')}`);
  if ((await keys.list()).length === 0) {
    const storeId = (await findStore(database, DEFAULT_STORE)) as string;
    const { key } = await keys.create({ storeId, name: 'First key', scopes: SCOPES, tier: 'standard' });
    lines.push('', `  API key of the store "${DEFAULT_STORE}", shown this once:`, `  ${key}`);
  }
  console.log(['', ...lines, ''].join('\n'));
}

/** Does not wait for what may still hold the process, such as a socket to a database that no longer answers. */
function exit(log: Log, code: number, message: string): void {
  log.info(message);
  process.exit(code);
}

function fail(error: unknown): void {
  console.error(explain(error));
  process.exit(1);
}

main().catch(fail);
