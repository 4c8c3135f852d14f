/**
 * Shows whose automations are held, and releases those that were restored, or one store, whether or not the service is running:
 *
 *   npm run -s automations -- status [--json]
 *   npm run -s automations -- release [--store S]
 */
import { parseArgs } from 'node:util';
import { callOf, exitWithHelpIfAsked } from '../src/command/help.ts';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/db/migrate.ts';
import { type OrmDatabase, openOrm } from '../src/db/orm.ts';
import { listAutomations } from '../src/domain/automations/hold.ts';
import { printable } from '../src/domain/printable.ts';
import { release } from '../src/domain/store-hold.ts';
import { findStore, storeNames } from '../src/domain/stores.ts';
import { withPostgres } from '../src/storage.ts';
import { UsageError } from './keys/arguments.ts';
import { auditCommand } from './keys/audit-command.ts';
import { runCommand } from './keys/run-command.ts';
import { toTable } from './keys/table.ts';

const CALL = callOf('automations');
const USAGE = `Usage:
  ${CALL} status [--json]
  ${CALL} release [--store S]
Without --store, all stores that were restored are released; name one that somebody has paused.`;
const HELP = `Shows which stores have automations, and lets those go on, and the messages of all, that are held since a backup
was restored, or because somebody has paused everything.
${USAGE}`;

interface Options {
  store?: string;
  json?: boolean;
}

const commands: Record<string, (database: OrmDatabase, options: Options) => Promise<void>> = {
  async status(database, { json }) {
    const names = await storeNames(database);
    const listed = (await listAutomations(database.stores)).map(({ storeId, heldAt, live, paused, draining }) => ({
      store: names.get(storeId) ?? storeId,
      held_since: heldAt?.toISOString() ?? null,
      live: String(live),
      paused: String(paused),
      draining: String(draining),
    }));
    listed.sort((a, b) => (a.store < b.store ? -1 : 1));
    if (json) {
      for (const { live, paused, draining, ...one } of listed) {
        const counts = { live: Number(live), paused: Number(paused), draining: Number(draining) };
        console.log(printable(JSON.stringify({ ...one, ...counts })));
      }
    } else console.log(listed.length === 0 ? 'No store has automations' : toTable(listed));
  },

  async release(database, { store }) {
    const names = await storeNames(database);
    const storeId = store === undefined ? undefined : await findStore(database, store);
    if (store !== undefined && storeId === undefined) throw new UsageError(`There is no store "${printable(store)}"`);
    const ids = storeId === undefined ? (await listAutomations(database.stores)).map((one) => one.storeId) : [storeId];
    let released = 0;
    for (const id of ids) {
      const letGo = () => release(database.stores.of(id), id, store === undefined ? 'restored' : undefined);
      if (!(await auditCommand(database, { operation: 'automations release', storeId: id }, letGo))) continue;
      released += 1;
      console.log(`Released: ${printable(names.get(id) ?? id)}`);
    }
    if (released === 0) console.log('No automations were held');
  },
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { store: { type: 'string' }, json: { type: 'boolean' } },
  });
  const [name = '', ...others] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || others.length > 0) throw new UsageError(USAGE);
  await withPostgres(readConfig(process.env), async (url) => {
    const database = await openOrm(await migrate(url), 2);
    try {
      await command(database, values);
    } finally {
      await database.close();
    }
  });
}

exitWithHelpIfAsked(HELP);
runCommand(main);
