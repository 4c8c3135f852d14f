import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ReportProgress } from '../process/progress.mjs';
import { StartError } from '../process/start-error.ts';
import { type Distribution, distribute, isDistributed } from './citus/distribute.ts';
import { isDeadlock, isLockTimeout } from './driver-errors.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { type Address, openOrm } from './orm.ts';
import { createPartitions } from './partitions.ts';
import type { Sql } from './sql.ts';

/** Milliseconds between two attempts to be the process that migrates, and to get a lock that a migration needs. */
const LOCK_RETRY_MS = 200;
/** Milliseconds that a migration waits for a lock: whoever comes meanwhile waits behind it. */
const LOCK_TIMEOUT_MS = 500;

/**
 * Brings the schema up to date. Several processes may start at once: one migrates, the others wait for it. Without the
 * timeouts of requests, which migrating a large table would exceed. Where the database has Citus, tables are distributed.
 * `progress` reports it where there is something to migrate.
 */
export async function migrate(
  url: string,
  { progress, ...distribution }: Distribution & { progress?: ReportProgress | undefined } = {},
): Promise<Address> {
  const { orm, sql: db } = await openOrm(url, 3, {}, []);
  try {
    await underLock(db, async () => {
      await expectKnown(db);
      const pending = (await orm.migrator.getPending()).length;
      const up = () => bringUpToDate(url);
      if (pending > 0) await (progress ? progress(`Bringing the schema up to date (${pending} migrations)`, up) : up());
      await distribute(db, distribution);
    });
    await createPartitions(db);
    return { url, isDistributed: await isDistributed(db) };
  } finally {
    await orm.close(true);
  }
}

/**
 * Runs the migrations, each in a transaction of its own. One that does not get a lock soon lets those who wait behind it
 * go on, and tries again.
 */
async function bringUpToDate(url: string): Promise<void> {
  const { orm, close } = await openOrm(url, 1, { lock_timeout: LOCK_TIMEOUT_MS }, []);
  try {
    for (;;) {
      try {
        await orm.migrator.up();
        return;
      } catch (error) {
        if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
        await sleep(LOCK_RETRY_MS);
      }
    }
  } finally {
    await close();
  }
}

/**
 * Does some work while no other process migrates the database. The lock is that of a transaction, which a pooler keeps
 * on one connection; those that wait for it hold none, as a pool may have too few for all of them.
 */
async function underLock(db: Sql, work: () => Promise<void>): Promise<void> {
  const tryTo = () =>
    db.transaction().execute(async (tx) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
      const { rows } = await sql<{ locked: boolean }>`
        select pg_try_advisory_xact_lock(hashtext('footfall.migrate')) as locked`.execute(tx);
      if (rows[0]?.locked) await work();
      return rows[0]?.locked;
    });
  while (!(await tryTo())) await sleep(LOCK_RETRY_MS);
}

/** Throws if a newer version has migrated the database: what this version relies on may be gone. */
async function expectKnown(db: Sql): Promise<void> {
  const { rows: tables } = await sql`select where to_regclass(${MIGRATIONS.tableName}) is not null`.execute(db);
  if (tables.length === 0) return;
  const { rows } = await sql<{ name: string }>`select name from ${sql.id(MIGRATIONS.tableName)} order by id`.execute(
    db,
  );
  const known = MIGRATIONS.migrationsList.map(({ name }) => name);
  if (rows.every(({ name }) => known.includes(name))) return;
  throw new StartError(
    `The database is of a newer version of Footfall: its schema is at ${rows.at(-1)?.name}, and this version knows it up to ${known.at(-1)}. Start that version, or restore a backup of this one's into an empty database.`,
  );
}
