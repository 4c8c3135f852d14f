import { copyFileSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 1024 * 1024;

/** What Postgres writes of itself, and nothing that a statement or a row says. */
export const LOG_SETTINGS = {
  // Not the errors of statements, whose messages quote values.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  // Without the details, which quote rows and statements.
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** Keeps a log that has grown as `….1`, in place of the one before, and begins it anew; its writer appends. */
export function boundLog(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= MAX_BYTES) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}
