import { open, rename, rm, stat } from 'node:fs/promises';
import type { Client } from 'pg';
import { isPooled } from '../db/pooler.ts';
import { StartError } from '../process/start-error.ts';
import { endAllSessions } from './end-sessions.ts';
import { holdAutomations } from './hold-automations.ts';
import { markErasures } from './mark-erasures.ts';
import { dumpTo, restoreDump, versionOf } from './pg-tools.ts';
import { importFrom } from './read-backup.ts';
import { inTransaction } from './transaction.ts';
import { exportTo } from './write-backup.ts';

/** The first bytes of the files that pg_dump and gzip write. */
const MAGIC = { pg_dump: Buffer.from('PGDMP'), own: Buffer.from([0x1f, 0x8b]) };

export interface Backup {
  file: string;
  format: keyof typeof MAGIC;
}

/**
 * Writes a consistent snapshot of the database to a file while others keep writing: with pg_dump if the `PATH` has one
 * for the server's version or a later one and no pooler is in between, otherwise in our own format. The file appears only
 * when it is complete and replaces an earlier one. Returns a sentence that says what was done.
 */
export async function backup(url: string, file: string): Promise<string> {
  const [server, tool] = await Promise.all([describeServer(url), versionOf('pg_dump')]);
  const draft = `${file}.partial`;
  try {
    // Never write to a file that a killed backup left behind or somebody else put there.
    await rm(draft, { force: true });
    // It holds personal data: only its owner may read it.
    await (await open(draft, 'wx', 0o600)).close();
    const what =
      tool !== undefined && tool >= server.version && !server.isPooled
        ? await dumpTo(url, draft).then(() => `The database, by pg_dump ${tool},`)
        : await exportTo(url, draft).then((rows) => `${rows} rows`);
    const { size } = await stat(draft);
    await rename(draft, file);
    return `${what} backed up to ${file} (${size} bytes)`;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function describeServer(url: string): Promise<{ version: number; isPooled: boolean }> {
  return inTransaction(url, 'read only', async (client) => {
    const { rows } = await client.query(`
      select to_regclass('migration') is not null as ours, current_setting('server_version_num')::int / 10000 as version`);
    const [{ ours, version }] = rows;
    if (!ours) throw new StartError('This database contains no Footfall data');
    return { version, isPooled: await isPooled(client) };
  });
}

/** Detects the format of a backup by its first bytes. Throws a `StartError` if the file can't be a backup. */
export async function detectFormat(file: string): Promise<Backup> {
  const handle = await open(file);
  const start = Buffer.alloc(8);
  await handle.read(start).finally(() => handle.close());
  for (const [format, magic] of Object.entries(MAGIC)) {
    if (start.subarray(0, magic.length).equals(magic)) return { file, format: format as Backup['format'] };
  }
  throw new StartError(`${file} is not a backup of Footfall`);
}

/**
 * Restores all of a backup into an empty database, or nothing; a service that starts meanwhile waits. Returns a
 * sentence that says what was done.
 */
export async function restore(url: string, { file, format }: Backup): Promise<string> {
  return inTransaction(url, '', async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtext('footfall.migrate'))`);
    await expectEmpty(client);
    // Its settings would stay on a connection that others use.
    if (format === 'pg_dump' && (await isPooled(client))) {
      throw new StartError('pg_restore needs the server itself, and DATABASE_URL names a pooler');
    }
    const what =
      format === 'pg_dump'
        ? await restoreDump(url, file).then(() => 'The database')
        : `${await importFrom(client, url, file)} rows`;
    const held = await holdAutomations(client);
    await markErasures(client);
    const hasPeople = await endAllSessions(client);
    // Otherwise the first queries would be planned for empty tables.
    await client.query('analyze');
    const released = held > 0 ? '; its automations do nothing until the command "automations release"' : '';
    const signedOut = hasPeople
      ? '; everybody is signed out and invitations are void, but who was removed after the backup, or had another role or password, is as before it'
      : '';
    return `${what} restored from ${file}${released}${signedOut}`;
  });
}

async function expectEmpty(client: Client): Promise<void> {
  const { rows } = await client.query(`
    select relname from pg_class join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'f') and nspname <> 'information_schema' and nspname !~ '^pg_'
      and not exists (
        select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by pg_table_is_visible(pg_class.oid) desc, relname limit 1`);
  if (rows.length === 0) return;
  throw new StartError(
    `The database is not empty: it has the table ${rows[0].relname}. Name an empty one by DATABASE_URL, or a new folder by DATA_DIR.`,
  );
}
