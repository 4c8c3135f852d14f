import { isDatabaseError } from '../db/driver-errors.ts';
import { StartError } from '../process/start-error.ts';

const NO_RIGHTS = /permission denied for (?:schema|database)/;
/** Since PostgreSQL 15 only the owner of a database may create tables in it. */
const HOW_TO_GRANT =
  '\nThe user of DATABASE_URL has to own the database: as its administrator, run "alter database … owner to …".';

/** Returns what to print for a command that failed: a sentence if the reason is known, otherwise the error itself. */
export function describeStartError(error: unknown): unknown {
  // What failed later, while resources were released, is a consequence.
  if (error instanceof SuppressedError) return describeStartError(error.suppressed);
  if (error instanceof StartError) return error.message;
  if (isDatabaseError(error)) {
    const { message, code } = error as Error & { code?: string };
    const hint = NO_RIGHTS.test(message) ? HOW_TO_GRANT : '';
    return `The database can't be used: ${message || code}${hint}`;
  }
  return error;
}
