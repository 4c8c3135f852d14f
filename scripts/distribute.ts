/** Distributes the data of an installation over the nodes of its Citus cluster: `npm run distribute`. */

import { sql } from 'kysely';
import pg from 'pg';
import { describeStartError } from '../src/command/describe-error.ts';
import { callOf, exitWithHelpIfAsked } from '../src/command/help.ts';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/db/migrate.ts';
import { type Address, openDatabase } from '../src/db/orm.ts';
import { assignAllPositions } from '../src/domain/feed/positions.ts';
import { StartError } from '../src/process/start-error.ts';

const HELP = `Distributes the data over the nodes of a Citus cluster, by store.
Usage: ${callOf('distribute').replace(/ --$/, '')}
DATABASE_URL names a database of the coordinator that has the extension citus and knows its nodes.
Stop the service first; it takes about as long as copying the data. What was interrupted goes on when it is run again.`;

async function main(): Promise<void> {
  const { databaseUrl: url } = readConfig(process.env);
  if (!url) throw new StartError('Set DATABASE_URL to a database of the coordinator of a Citus cluster.');
  await expectAlone(url);
  const onTable = (name: string) => console.error(`Distributed: ${name}`);
  await giveOldEntriesPositions(await migrate(url, { onTable }));
  const { isDistributed } = await migrate(url, { withData: true, onTable });
  if (!isDistributed) throw new StartError('The database has no extension citus: run "create extension citus" in it.');
  console.error('The data is distributed; start the service.');
}

/** What a service writes to a table while the rows of others are already elsewhere would not belong to them. */
async function expectAlone(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'footfall distribute' });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select from pg_stat_activity where datname = current_database() and application_name = 'footfall'`,
    );
    if (rows.length > 0) throw new StartError('A service is using the database; stop it first.');
  } finally {
    await client.end();
  }
}

/** Entries of the feed by a version before are found by the transaction of their rows, which get another one. */
async function giveOldEntriesPositions(address: Address): Promise<void> {
  const { sql: db, stores, close } = await openDatabase(address, 1, {});
  try {
    const { rows } = await sql<{ id: string }>`select distinct store_id as id from addition where ids is null`.execute(
      db,
    );
    for (const { id } of rows) await assignAllPositions(stores.of(id), id);
  } finally {
    await close();
  }
}

exitWithHelpIfAsked(HELP);
main().catch((error) => {
  console.error(describeStartError(error));
  process.exitCode = 1;
});
