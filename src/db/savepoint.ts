import { sql } from 'kysely';
import { isStatementError } from './driver-errors.ts';
import type { Sql } from './sql.ts';

/**
 * Does something after which the transaction can go on, also where a statement of it is refused or cancelled. The
 * savepoint is always released: what is written under one has the id of a transaction of its own, and so looks as if
 * another node had written it (see `positions.ts`).
 */
export async function withSavepoint<Result>(tx: Sql, work: () => Promise<Result>): Promise<Result> {
  await sql`savepoint work`.execute(tx);
  try {
    const result = await work();
    await sql`release savepoint work`.execute(tx);
    return result;
  } catch (error) {
    if (isStatementError(error)) {
      await sql`rollback to savepoint work`.execute(tx);
      await sql`release savepoint work`.execute(tx);
    }
    throw error;
  }
}
