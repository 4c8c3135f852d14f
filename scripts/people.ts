/**
 * Lets people in from the shell, whether or not the service is running:
 *
 *   npm run -s people -- invite --owner [--store S] [--json]
 */
import { parseArgs } from 'node:util';
import { callOf, exitWithHelpIfAsked } from '../src/command/help.ts';
import { linkBaseOf, readConfig } from '../src/config.ts';
import { migrate } from '../src/db/migrate.ts';
import { openOrm } from '../src/db/orm.ts';
import { inviteOwner, setupLink } from '../src/domain/people/invitations.ts';
import { printable } from '../src/domain/printable.ts';
import { findStore } from '../src/domain/stores.ts';
import { DEFAULT_STORE, withPostgres } from '../src/storage.ts';
import { UsageError } from './keys/arguments.ts';
import { auditCommand } from './keys/audit-command.ts';
import { runCommand } from './keys/run-command.ts';

const CALL = callOf('people');
const USAGE = `Usage: ${CALL} invite --owner [--store S] [--json]`;
const HELP = `Prints a link by which whoever opens it becomes an owner of a store, once, within 24 hours; with the service
running or not. PUBLIC_URL is where it leads.
${USAGE}`;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { owner: { type: 'boolean' }, store: { type: 'string' }, json: { type: 'boolean' } },
  });
  if (positionals.join() !== 'invite' || !values.owner) throw new UsageError(USAGE);
  const { store = DEFAULT_STORE } = values;
  const config = readConfig(process.env);
  await withPostgres(config, async (url) => {
    const database = await openOrm(await migrate(url), 2);
    try {
      const storeId = await findStore(database, store);
      if (storeId === undefined) throw new UsageError(`There is no store "${printable(store)}"`);
      const token = await auditCommand(database, { operation: 'people invite', storeId, fields: ['owner'] }, () =>
        inviteOwner(database.sql, storeId),
      );
      const link = setupLink(linkBaseOf(config), token);
      console.log(values.json ? JSON.stringify({ link }) : link);
    } finally {
      await database.close();
    }
  });
}

exitWithHelpIfAsked(HELP);
runCommand(main);
