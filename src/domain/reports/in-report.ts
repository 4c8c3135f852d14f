import { isTimeout } from '../../db/driver-errors.ts';
import { limitStatements } from '../../db/limit-statements.ts';
import type { Sql } from '../../db/sql.ts';
import { overloaded } from '../service-error.ts';

/** Milliseconds that a statement of a report may take. */
const MAX_MS = 3_000;

/** Works a report out in a transaction. Throws `upstream_error`, with what to do, if a statement takes too long. */
export async function inReport<Report>(db: Sql, tooLong: string, work: (tx: Sql) => Promise<Report>): Promise<Report> {
  try {
    return await db.transaction().execute(async (tx) => {
      await limitStatements(tx, MAX_MS);
      return await work(tx);
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw overloaded(tooLong);
  }
}
