/**
 * Erases a customer, whether or not the service is running, and prints the proof:
 *
 *   npm run -s erase -- --email E | --phone P | --external-id X | --profile-id I
 *     [--events anonymise] [--suppress-days N] [--store S] [--json]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { callOf, exitWithHelpIfAsked } from '../src/command/help.ts';
import { readConfig } from '../src/config.ts';
import { migrate } from '../src/db/migrate.ts';
import { type Database, openOrm, SETTINGS_OF_JOBS } from '../src/db/orm.ts';
import { VersionCache } from '../src/domain/automations/stored/version-cache.ts';
import { beginErasure, type Erased } from '../src/domain/erasures/begin.ts';
import type { Erasure } from '../src/domain/erasures/erasure.ts';
import { findErasure } from '../src/domain/erasures/find-erasures.ts';
import { ERASED } from '../src/domain/erasures/sweep.ts';
import { canonicalIdentifiers } from '../src/domain/identifiers.ts';
import { openAddressDigest } from '../src/domain/messages/core/address-digest.ts';
import { printable } from '../src/domain/printable.ts';
import { findStore } from '../src/domain/stores.ts';
import { sweepDue } from '../src/domain/sweeps/sweep.ts';
import { isId } from '../src/ids/uuid-v7.ts';
import { DEFAULT_STORE, withPostgres } from '../src/storage.ts';
import { UsageError } from './keys/arguments.ts';
import { runCommand } from './keys/run-command.ts';
import { toTable } from './keys/table.ts';

const CALL = callOf('erase');
const USAGE = `Usage:
  ${CALL} --email E | --phone P | --external-id X | --profile-id I
    [--events delete|anonymise] [--suppress-days N] [--store S] [--json]`;
const HELP = `Erases a customer, with the service running or not, and prints what was deleted or emptied. Nobody is created with
the identifiers for 30 days, or as many as --suppress-days says; 0 is not at all, and forever for good.
${USAGE}`;
const MAX_DAYS = 3650;
const OPTIONS = ['email', 'phone', 'external-id', 'profile-id'] as const;

interface Options {
  email?: string;
  phone?: string;
  'external-id'?: string;
  'profile-id'?: string;
  events?: string;
  'suppress-days'?: string;
  store?: string;
  json?: boolean;
}

function checkOptions(options: Options) {
  if (OPTIONS.filter((name) => options[name] !== undefined).length !== 1) throw new UsageError(USAGE);
  const { events = 'delete', 'suppress-days': days = '30' } = options;
  if (events !== 'delete' && events !== 'anonymise') throw new UsageError('--events must be delete or anonymise');
  const isNumber = /^\d{1,4}$/.test(days) && Number(days) <= MAX_DAYS;
  if (days !== 'forever' && !isNumber) {
    throw new UsageError(`--suppress-days must be a number from 0 to ${MAX_DAYS}, or forever`);
  }
  const id = options['profile-id'];
  if (id !== undefined && !isId(id)) throw new UsageError('--profile-id must be the id of a profile');
  return { events, suppressDays: days === 'forever' ? null : Number(days), askedBy: null } as const;
}

function whoOf(options: Options, country: string | null): Erased {
  if (options['profile-id'] !== undefined) return { profileId: options['profile-id'].toLowerCase() };
  const { email, phone, 'external-id': external_id } = options;
  const identifiers = canonicalIdentifiers({ email, phone, external_id }, country);
  if (email !== undefined && !identifiers.email) throw new UsageError('--email must be an e-mail address');
  if (phone !== undefined && !identifiers.phone) throw new UsageError('--phone must be a telephone number');
  return { identifiers };
}

async function erase(database: Database, storeId: string, options: Options): Promise<Erasure> {
  const { rows } = await sql<{ country: string | null; hasIndex: boolean }>`
    select country, to_regclass('profile_identifier_of_profile') is not null as "hasIndex"
    from store where id = ${storeId}`.execute(database.sql);
  const [{ country, hasIndex }] = rows as [(typeof rows)[number]];
  if (!hasIndex) throw new UsageError('An upgrade is not complete: start the service, and try again later');
  const tools = { versions: new VersionCache(), addressDigest: await openAddressDigest(database.sql) };
  const db = database.stores.of(storeId);
  const request = { ...checkOptions(options), who: whoOf(options, country) };
  let erasure = await beginErasure(db, storeId, request, tools.versions);
  while (erasure.status !== 'complete') {
    // A service that is running may go on with it, too.
    if (!(await sweepDue(db, storeId, ERASED, tools))) await sleep(100);
    erasure = (await findErasure(db, storeId, erasure.id)) as Erasure;
  }
  return erasure;
}

function print(erasure: Erasure, json: boolean): void {
  const { id, wasKnown, counts, residues } = erasure;
  if (json) {
    console.log(printable(JSON.stringify({ id, profile_found: wasKnown, tables: counts, residues })));
    return;
  }
  console.log(wasKnown ? `Erased. The proof is erasure ${id}.` : `There is no such customer. It is erasure ${id}.`);
  const rows = Object.entries(counts).map(([table, count]) => ({ table, rows: String(count) }));
  if (rows.length > 0) console.log(toTable(rows));
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...{ email: text, phone: text, 'external-id': text, 'profile-id': text, events: text, store: text },
      ...{ 'suppress-days': text, json: { type: 'boolean' } },
    },
  });
  if (positionals.length > 0) throw new UsageError(USAGE);
  checkOptions(values);
  const { store = DEFAULT_STORE } = values;
  await withPostgres(readConfig(process.env), async (url) => {
    const database = await openOrm(await migrate(url), 2, SETTINGS_OF_JOBS);
    try {
      const storeId = await findStore(database, store);
      if (storeId === undefined) throw new UsageError(`There is no store "${printable(store)}"`);
      print(await erase(database, storeId, values), values.json ?? false);
    } finally {
      await database.close();
    }
  });
}

exitWithHelpIfAsked(HELP);
runCommand(main);
