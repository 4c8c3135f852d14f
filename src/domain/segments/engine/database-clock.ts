import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';

/**
 * Returns a clock that shows the time of the database in milliseconds, a little late rather than early: by it members are said
 * to be up to date, and by one clock nobody is moved to and fro by processes whose own differ.
 */
export async function databaseClock(db: Sql): Promise<() => number> {
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
  const ahead = (rows[0]?.now ?? 0) - performance.now();
  return () => Math.floor(performance.now() + ahead);
}
