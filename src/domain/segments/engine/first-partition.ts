import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';

/**
 * The name of the first of the partitions of events, such as `event_2026_11`, as a sub-select: another one once a month has
 * expired. Not from `pg_class`, in which a cluster hides shards, and without the number of a shard.
 */
export const FIRST_PARTITION: RawBuilder<string | null> = sql`
  (
    select min(substring(inhrelid::regclass::text, 'event_[0-9]{4}_[0-9]{2}'))
    from pg_inherits
    where inhparent = 'event'::regclass
  )`;

/** The same, where it is needed by itself. */
export async function firstPartition(db: Sql): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`select ${FIRST_PARTITION} as name`.execute(db);
  return rows[0]?.name ?? null;
}
