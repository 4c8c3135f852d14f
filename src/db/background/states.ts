import { sql } from 'kysely';
import type { Sql } from '../sql.ts';

/** How far a background migration is. `failed` until it is tried again. */
export interface BackgroundState {
  name: string;
  status: 'waiting' | 'running' | 'failed' | 'complete';
  attempts: number;
  /** Of `total` parts, which is null where it is not known. */
  done: number;
  total: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  /** Times as RFC 3339. */
  startedAt: string | null;
  completedAt: string | null;
}

/** Returns all that the database knows of, in the order of their names. */
export async function readBackgroundStates(db: Sql): Promise<BackgroundState[]> {
  const { rows } = await sql<BackgroundState>`
    select name, attempts, done, total, error,
      case
        when completed_at is not null then 'complete'
        when taken_by is not null and taken_until > now() then 'running'
        when error is not null then 'failed'
        else 'waiting'
      end as status,
      to_char(started_at at time zone 'utc', ${TIME}) as "startedAt",
      to_char(completed_at at time zone 'utc', ${TIME}) as "completedAt"
    from background_migration
    order by name`.execute(db);
  return rows;
}

const TIME = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"';

/** For how long a process has a migration to itself without saying so again, in milliseconds. */
export const LEASE_MS = 30_000;
/** Milliseconds until the next attempt: twice as long after each that failed. */
const [BACKOFF_MS, MAX_BACKOFF_MS] = [2_000, 5 * 60 * 1000];

/** Takes the first of some migrations that is to be run, unless another process runs one; undefined if there is none. */
export async function takeMigration(db: Sql, names: readonly string[], takenBy: string): Promise<string | undefined> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('footfall.background'))`.execute(tx);
    const { rows } = await sql<{ name: string }>`
      update background_migration set
        taken_by = ${takenBy}, taken_until = now() + ${LEASE_MS} * interval '1 ms', attempts = attempts + 1,
        started_at = coalesce(started_at, now())
      where name = (
        select name from background_migration
        where name = any(${names}::text[]) and completed_at is null and (taken_until is null or taken_until < now())
        order by array_position(${names}::text[], name) limit 1
      ) and not exists (select from background_migration where taken_by is not null and taken_until > now())
      returning name`.execute(tx);
    return rows[0]?.name;
  });
}

/** Returns whether the migration is still taken. */
export async function keepTaken(db: Sql, name: string, takenBy: string): Promise<boolean> {
  const { rows } = await sql`
    update background_migration set taken_until = now() + ${LEASE_MS} * interval '1 ms'
    where name = ${name} and taken_by = ${takenBy}
    returning name`.execute(db);
  return rows.length > 0;
}

export async function reportProgress(db: Sql, name: string, done: number, total: number): Promise<void> {
  await sql`update background_migration set done = ${done}, total = ${total} where name = ${name}`.execute(db);
}

export async function completeMigration(db: Sql, name: string, takenBy: string): Promise<void> {
  await sql`
    update background_migration set
      completed_at = now(), done = coalesce(total, done), error = null, taken_by = null, taken_until = null
    where name = ${name} and taken_by = ${takenBy}`.execute(db);
}

/** Leaves a migration to be tried again; at once, and by any process, if it did not fail. */
export async function leaveMigration(db: Sql, name: string, takenBy: string, error: string | null): Promise<void> {
  await sql`
    update background_migration set
      error = ${error}, taken_by = null,
      taken_until = case when ${error !== null} then
        now() + least(${MAX_BACKOFF_MS}, ${BACKOFF_MS} * power(2, least(attempts, 20) - 1)) * interval '1 ms' end
    where name = ${name} and taken_by = ${takenBy}`.execute(db);
}
