import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';

/**
 * The name of the first of the partitions of events, such as `event_2026_11`: another one once a month has expired. Not
 * from `pg_class`, in which a cluster hides shards, and without the number of a shard.
 */
export async function firstPartition(db: Sql): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`
    select min(substring(inhrelid::regclass::text, 'event_[0-9]{4}_[0-9]{2}')) as name
    from pg_inherits
    where inhparent = 'event'::regclass`.execute(db);
  return rows[0]?.name ?? null;
}
