import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';

/** The name of the first of the partitions of events: another one once a month has expired. */
export async function firstPartition(db: Sql): Promise<string | null> {
  const { rows } = await sql<{ name: string | null }>`
    select min(c.relname) as name
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'event'::regclass`.execute(db);
  return rows[0]?.name ?? null;
}
