/**
 * Erases a customer, whether or not the service is running, and prints the proof; keeps a list of who was erased beside backups, and
 * does those erasures again in one that is restored:
 *
 *   npm run -s erase -- --email E | --phone P | --external-id X | --profile-id I
 *     [--events anonymise] [--suppress-days N] [--store S] [--json]
 *   npm run -s erase -- log [--since T] [--store S]
 *   npm run -s erase -- redo <file>
 *   npm run -s erase -- no-list [--store S]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { callOf, exitWithHelpIfAsked } from '../src/command/help.ts';
import type { Database, OrmDatabase } from '../src/db/orm.ts';
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
import { DEFAULT_STORE } from '../src/storage.ts';
import { erasureLog, redoAll, redoNone, withData } from './erase/log.ts';
import { UsageError } from './keys/arguments.ts';
import { auditCommand } from './keys/audit-command.ts';
import { runCommand } from './keys/run-command.ts';
import { toTable } from './keys/table.ts';

const CALL = callOf('erase');
const USAGE = `Usage:
  ${CALL} --email E | --phone P | --external-id X | --profile-id I
    [--events delete|anonymise] [--suppress-days N] [--store S] [--json]
  ${CALL} log [--since T] [--store S] > <file>
  ${CALL} redo <file>
  ${CALL} no-list [--store S]`;
const HELP = `Erases a customer, with the service running or not, and prints what was deleted or emptied. Nobody is created with
the identifiers for 30 days, or as many as --suppress-days says; 0 is not at all, and forever for good.

log prints who was erased, since a time as 2026-11-20T00:00:00Z or ever, by keyed hashes and with their key: keep it as you keep
backups. redo does the erasures of such a file again in a database that was restored from a backup before them; so does
restore with --erasures. no-list says of a restored database that there is no such file: nobody is erased, and it is no longer
shown as one in which erasures are missing.
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
  let erasure = await beginErasure(db, storeId, request, tools);
  while (erasure.status !== 'complete') {
    // A service that is running may go on with it, too.
    if (!(await sweepDue(db, storeId, ERASED, tools))) await sleep(100);
    erasure = (await findErasure(db, storeId, erasure.id)) as Erasure;
  }
  return erasure;
}

async function eraseAudited(database: OrmDatabase, storeId: string, options: Options): Promise<Erasure> {
  const fields = Object.keys(options).filter((name) => name !== 'json' && name !== 'store');
  const command = { operation: 'erase', storeId, fields };
  return await auditCommand(
    database,
    command,
    () => erase(database, storeId, options),
    ({ id }) => id,
  );
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
      ...{ 'suppress-days': text, since: text, json: { type: 'boolean' } },
    },
  });
  const [command, file, ...others] = positionals;
  const given = Object.keys(values);
  if (command === 'log' && file === undefined && given.every((name) => name === 'since' || name === 'store')) {
    await printLog(timeOf(values.since), values.store);
  } else if (command === 'redo' && file !== undefined && others.length === 0 && given.length === 0) {
    console.error(await redoAll(file));
  } else if (command === 'no-list' && file === undefined && given.every((name) => name === 'store')) {
    console.error(await redoNone(values.store));
  } else if (command === undefined && values.since === undefined) await eraseOne(values);
  else throw new UsageError(USAGE);
}

function timeOf(since: string | undefined): Date | undefined {
  const time = since === undefined ? undefined : new Date(since);
  if (time && Number.isNaN(time.getTime())) throw new UsageError('--since must be a time, as 2026-11-20T00:00:00Z');
  return time;
}

async function printLog(since: Date | undefined, store: string | undefined): Promise<void> {
  await withData(async (database) => {
    for await (const line of erasureLog(database, since, store)) console.log(JSON.stringify(line));
  });
}

async function eraseOne(options: Options): Promise<void> {
  checkOptions(options);
  const { store = DEFAULT_STORE } = options;
  await withData(async (database) => {
    const storeId = await findStore(database, store);
    if (storeId === undefined) throw new UsageError(`There is no store "${printable(store)}"`);
    print(await eraseAudited(database, storeId, options), options.json ?? false);
  });
}

exitWithHelpIfAsked(HELP);
runCommand(main);
