/**
 * Fills a store with three months of made-up customers and events, whether or not the service is running:
 *
 *   npm run -s demo -- [--store demo] [--more]
 *
 * Prints a key to view them with. Refuses a store that already has customers unless `--more` is given.
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { describeStartError } from '../src/command/describe-error.ts';
import { callOf, exitWithHelpIfAsked } from '../src/command/help.ts';
import { type Config, readConfig } from '../src/config.ts';
import { type Address, type Database, migrate, openOrm } from '../src/db/orm.ts';
import { ApiKeys } from '../src/domain/api-keys/api-keys.ts';
import { SCOPES } from '../src/domain/caller.ts';
import { ensureStore } from '../src/domain/stores.ts';
import { createLog } from '../src/process/log.ts';
import { StartError } from '../src/process/start-error.ts';
import { startService } from '../src/service.ts';
import { withPostgres } from '../src/storage.ts';
import { type Filled, fill } from './demo/fill.ts';

/** Not the store that the first start creates, which may have real customers. */
const STORE = 'demo';
const DEMO = callOf('demo');
const HELP = `Fills a store with three months of made-up customers and events, lists, segments, automations and webhooks, and prints a key for it.
Usage: ${DEMO} [--store ${STORE}] [--more]
  --store  the store to fill, created if it does not exist
  --more   fills it even if it already has customers
Works with the service running or not, and takes less than a minute.`;

/** Creates a key of the store, because the plaintext of existing ones is unknown. */
async function createKey(address: Address, store: string, more: boolean): Promise<string> {
  const database = await openOrm(address, 1);
  try {
    const storeId = await ensureStore(database, store);
    if (!more && (await hasProfiles(database, storeId))) {
      const again = [DEMO, ...(store === STORE ? [] : ['--store', quoteForShell(store)]), '--more'].join(' ');
      throw new StartError(
        `The store "${store}" already has customers. To add more to it:\n  ${again}\n` +
          `To fill another store:\n  ${DEMO} --store ${quoteForShell(`${store}-2`)}`,
      );
    }
    const { key } = await new ApiKeys(database).create({ storeId, name: 'Demo', scopes: SCOPES, tier: 'standard' });
    return key;
  } finally {
    await database.close();
  }
}

/** Quotes a word for the shell. */
function quoteForShell(word: string): string {
  return /^[\w.-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

async function hasProfiles({ stores }: Pick<Database, 'stores'>, storeId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from profile where store_id = ${storeId} limit 1`.execute(stores.of(storeId));
  return rows.length > 0;
}

/** Uses a service of its own, so that it does not matter whether one is running. */
async function fillWithService(config: Config, databaseUrl: string, key: string): Promise<Filled> {
  const own = { ...config, databaseUrl, host: '127.0.0.1', port: 0, workerConcurrency: 1 };
  const service = await startService(own, createLog('silent'));
  try {
    return await fill(service, key);
  } finally {
    await service.stop();
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { store: { type: 'string', default: STORE }, more: { type: 'boolean', default: false } },
  });
  const config = readConfig(process.env);
  await withPostgres(config, async (databaseUrl) => {
    const key = await createKey(await migrate(databaseUrl), values.store, values.more);
    console.log(`Filling the store "${values.store}"…`);
    const { customers, events, refused, automations, lists, segments } = await fillWithService(
      config,
      databaseUrl,
      key,
    );
    const count = (n: number) => n.toLocaleString('en');
    console.log(
      `  ${count(customers)} customers, ${count(events)} events over three months, ${refused} refused requests, ${automations} automations, ${lists} lists, ${segments} segments`,
    );
    console.log(
      `\nSee it at http://${config.host}:${config.port}/dashboard, while the service runs, with this key:\n  ${key}`,
    );
  });
}

exitWithHelpIfAsked(HELP);
main().catch((error) => {
  console.error(error?.code?.startsWith('ERR_PARSE_ARGS') ? error.message : describeStartError(error));
  process.exitCode = 1;
});
