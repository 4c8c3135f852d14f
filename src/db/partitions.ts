import { type Kysely, sql } from 'kysely';

/** Partitions that are kept ready beyond the current month. */
const MONTHS_AHEAD = 2;

/**
 * Creates the monthly partitions of `event` from last month (for a clock that lags) to two months ahead. Their bounds
 * are UUIDs of version 7, which begin with their time. Safe to run at any moment and in several processes at once.
 */
export async function createPartitions(db: Kysely<unknown>, now = new Date()): Promise<void> {
  for (let month = -1; month <= MONTHS_AHEAD; month += 1) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month));
    const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
    const name = `event_${from.toISOString().slice(0, 7).replace('-', '_')}`;
    const known = await sql`select 1 from pg_class where oid = to_regclass(${name})`.execute(db);
    if (known.rows.length > 0) continue;
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext('footfall.partitions'))`.execute(tx);
      await sql`create table if not exists ${sql.id(name)} partition of event
        for values from (${sql.lit(lowestId(from))}) to (${sql.lit(lowestId(to))})`.execute(tx);
    });
  }
}

/** The lowest UUID of version 7 at or after a time. */
function lowestId(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
