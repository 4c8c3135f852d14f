/**
 * Fills a store with three months of made-up customers and events, whether or not the service is running:
 *
 *   npm run -s demo -- [--store demo] [--more]
 *
 * Prints a key to view them with. What was interrupted goes on. Otherwise a store that already has customers is refused,
 * unless `--more` is given.
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { describeStartError } from '../src/command/describe-error.ts';
import { callOf, exitWithHelpIfAsked } from '../src/command/help.ts';
import { type Config, readConfig } from '../src/config.ts';
import { migrate } from '../src/db/migrate.ts';
import { type Address, type Database, openOrm } from '../src/db/orm.ts';
import { ApiKeys } from '../src/domain/api-keys/api-keys.ts';
import { ensureStore } from '../src/domain/stores.ts';
import { createLog } from '../src/process/log.ts';
import { StartError } from '../src/process/start-error.ts';
import { startService } from '../src/service.ts';
import { withPostgres } from '../src/storage.ts';
import { type Filled, fill } from './demo/fill.ts';
import { begin, type Filling, findInterrupted, finish, renewKey } from './demo/filling.ts';

/** Not the store that the first start creates, which may have real customers. */
const STORE = 'demo';
const DEMO = callOf('demo');
const HELP = `Fills a store with three months of made-up customers and events, a catalog, lists, segments, automations, webhooks and campaigns, and prints a key for it.
Usage: ${DEMO} [--store ${STORE}] [--more]
  --store  the store to fill, created if it does not exist
  --more   fills it even if it already has customers
Works with the service running or not, and takes less than a minute. What is interrupted goes on with the same command.`;

interface Begun {
  filling: Filling;
  /** The key of the store. */
  key: string;
  isContinued: boolean;
}

/** Begins to fill the store, or goes on with what was interrupted; with a key, because the plaintext of none is known. */
async function openFilling(address: Address, store: string, more: boolean): Promise<Begun> {
  const database = await openOrm(address, 1);
  try {
    const [storeId, keys] = [await ensureStore(database, store), new ApiKeys(database)];
    const interrupted = await findInterrupted(keys, storeId);
    if (interrupted) {
      return { filling: interrupted, key: await renewKey(database, interrupted.id), isContinued: true };
    }
    if (!more && (await hasProfiles(database, storeId))) {
      const again = [DEMO, ...(store === STORE ? [] : ['--store', quoteForShell(store)]), '--more'].join(' ');
      throw new StartError(
        `The store "${store}" already has customers. To add more to it:\n  ${again}\n` +
          `To fill another store:\n  ${DEMO} --store ${quoteForShell(`${store}-2`)}`,
      );
    }
    return { ...(await begin(keys, storeId)), isContinued: false };
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
async function fillWithService(config: Config, databaseUrl: string, { key, filling }: Begun): Promise<Filled> {
  const own = { ...config, databaseUrl, host: '127.0.0.1', port: 0, workerConcurrency: 1 };
  const service = await startService(own, createLog('silent'));
  try {
    const filled = await fill(service, key, filling);
    await finish(service.database, filling);
    return filled;
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
    const begun = await openFilling(await migrate(databaseUrl), values.store, values.more);
    const where = `http://${config.host}:${config.port}/dashboard`;
    console.log(
      `See the store "${values.store}" at ${where}, while the service runs, with this key:\n  ${begun.key}\n`,
    );
    console.log(begun.isContinued ? 'Going on with filling it…' : 'Filling it…');
    const { customers, events, refused, items, automations, lists, segments, campaigns } = await fillWithService(
      config,
      databaseUrl,
      begun,
    );
    const count = (n: number) => n.toLocaleString('en');
    console.log(
      `  ${count(customers)} customers, ${count(events)} events over three months, ${refused} refused requests, a catalog of ${items} items, ${automations} automations, ${lists} lists, ${segments} segments, ${campaigns} campaigns`,
    );
  });
}

exitWithHelpIfAsked(HELP);
main().catch((error) => {
  console.error(error?.code?.startsWith('ERR_PARSE_ARGS') ? error.message : describeStartError(error));
  process.exitCode = 1;
});
