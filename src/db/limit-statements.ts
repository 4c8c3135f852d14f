import { sql } from 'kysely';
import type { Sql } from './sql.ts';

/** Bounds the statements to come of a transaction. */
export async function limitStatements(tx: Sql, ms: number): Promise<void> {
  await sql`select set_config('statement_timeout', ${String(Math.ceil(ms))}, true)`.execute(tx);
}
