import { copyFileSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 1024 * 1024;

/** Makes Postgres log its own operation, but nothing that a statement or a row contains. */
export const LOG_SETTINGS = {
  // Not the errors of statements, whose messages quote values.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  // Without the details, which quote rows and statements.
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** Rotates a log that has grown to `….1`, replacing the previous one, and truncates it; its writer must append. */
export function rotateLog(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) <= MAX_BYTES) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file);
}
