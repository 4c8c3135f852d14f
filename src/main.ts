import { ConfigError, readConfig } from './config.ts';
import { SCOPES } from './domain/api-keys.ts';
import { findStore } from './domain/stores.ts';
import { createLog } from './log.ts';
import { DEFAULT_STORE, type Service, startService } from './service.ts';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  const service = await startService(config, log);

  let stopping = false;
  const stop = (signal: string) => {
    // A terminal signals npm and the service alike, and npm passes it on: once is enough.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'draining');
    service.stop().then(() => log.info('stopped'), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await greet(service);
}

/** Tells a person where things are and, the first time, the key to them. Not through the log: it must hold no key. */
async function greet({ url, keys, database }: Service): Promise<void> {
  const lines = ['', `Footfall is listening on ${url}`, `  docs   ${url}/docs`, `  specs  ${url}/openapi/native.yaml`];
  if ((await keys.list()).length === 0) {
    const storeId = (await findStore(database, DEFAULT_STORE)) as string;
    const { key } = await keys.create({ storeId, name: 'First key', scopes: SCOPES, tier: 'standard' });
    lines.push('', `  API key of the store "${DEFAULT_STORE}", shown this once:`, `  ${key}`);
  }
  console.log([...lines, ''].join('\n'));
}

function fail(error: unknown): void {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}

main().catch(fail);
