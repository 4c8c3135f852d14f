/**
 * Shows what is left to do of the schema in the background, whether or not the service is running:
 *
 *   npm run -s migrations -- status [--json]
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { callOf, exitWithHelpIfAsked } from '../src/command/help.ts';
import { readConfig } from '../src/config.ts';
import { type BackgroundState, readBackgroundStates } from '../src/db/background/states.ts';
import { openDatabase, type Sql } from '../src/db/orm.ts';
import { printable } from '../src/domain/printable.ts';
import { StartError } from '../src/process/start-error.ts';
import { withPostgres } from '../src/storage.ts';
import { UsageError } from './keys/arguments.ts';
import { runCommand } from './keys/run-command.ts';
import { toTable } from './keys/table.ts';

const USAGE = `Usage: ${callOf('migrations')} status [--json]`;
const HELP = `Shows the migrations that the service runs in the background once it has been upgraded, and how far they are.
${USAGE}`;

async function read(db: Sql): Promise<BackgroundState[]> {
  const { rows } = await sql`select where to_regclass('background_migration') is not null`.execute(db);
  if (rows.length > 0) return readBackgroundStates(db);
  throw new StartError(
    'The database has no schema of this version yet: start the service, which brings it up to date.',
  );
}

function print(states: readonly BackgroundState[], asJson: boolean): void {
  const shown = states.map(({ startedAt, completedAt, ...state }) => ({
    ...state,
    started_at: startedAt,
    completed_at: completedAt,
  }));
  if (asJson) for (const state of shown) console.log(printable(JSON.stringify(state)));
  else console.log(toTable(shown.map(({ done, total, ...state }) => toRow(state, total && `${done} of ${total}`))));
}

function toRow(state: Record<string, string | number | null>, done: string | 0 | null): Record<string, string | null> {
  const texts = Object.entries(state).map(([name, value]) => [name, value === null ? null : String(value)]);
  return { ...Object.fromEntries(texts), done: done || null };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'boolean' } } });
  if (positionals.join(' ') !== 'status') throw new UsageError(USAGE);
  await withPostgres(readConfig(process.env), async (url) => {
    const database = await openDatabase(url, 1);
    try {
      print(await read(database.sql), values.json ?? false);
    } finally {
      await database.close();
    }
  });
}

exitWithHelpIfAsked(HELP);
runCommand(main);
