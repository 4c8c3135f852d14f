import { DriverException } from '@mikro-orm/core';

/** Codes of failures that a retry may get past: deadlock, serialisation, a race for a unique key. */
const RETRYABLE = new Set(['40P01', '40001', '23505']);
const NO_PARTITION = '23514';
const DISK_FULL = '53100';
const LOCK_TIMEOUT = '55P03';
const DEADLOCK = '40P01';
const CANCELLED = '57014';

/** What a unit of work has read is gone by the time at which it is locked: whoever repeats the unit reads what is there now. */
export class Outdated extends Error {
  override readonly name = 'Outdated';
  /** As Postgres says it of a serialisation that failed. */
  readonly code = '40001';
  readonly severity = 'ERROR';
}

interface DriverError extends Error {
  code?: unknown;
  severity?: unknown;
  syscall?: unknown;
}

/** Whether an error comes from the database or the connection to it rather than from a bug in our code. */
export function isDatabaseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof DriverException) return true;
  const { code, severity, syscall, message } = error as DriverError;
  if (severity !== undefined && typeof code === 'string') return true;
  if (typeof code === 'string' && /^(?:ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_|EHOST|ENET)/.test(code)) return true;
  // The socket of a server that is down.
  if (syscall === 'connect') return true;
  return /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|The server does not support|Cannot use a pool after)/.test(
    message,
  );
}

export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(codeOf(error));
}

/** Whether others hold a lock for longer than the statement may wait. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === LOCK_TIMEOUT;
}

export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === DEADLOCK;
}

/** Whether a statement took longer than it may, and was cancelled. */
export function isTimeout(error: unknown): boolean {
  return codeOf(error) === CANCELLED;
}

export function isMissingPartition(error: unknown): boolean {
  return codeOf(error) === NO_PARTITION;
}

/** Whether the server itself refused the statement, which means that nothing of its transaction is stored. */
export function isStatementError(error: unknown): boolean {
  return error instanceof Error && (error as DriverError).severity === 'ERROR';
}

/** Data exceptions, violated constraints, and data that is too large or too complex: the same data would fail again. */
const BAD_DATA = /^(?:22|23|54)/;

/** Whether the server refused the data of a statement, which means that nothing of its transaction is stored. */
export function isBadData(error: unknown): boolean {
  return isStatementError(error) && BAD_DATA.test(codeOf(error));
}

/**
 * The connection, resources, the disk; a lock that others hold (55P03), a read-only server (25006) or one shutting
 * down. Not a lack of memory (53200), which the statement's own data may cause.
 */
const OUTAGE = /^(?:08|40|53[^2]|58|57P|55P03|25006)/;

/** Whether the database is temporarily unable to do any work at all. */
export function isOutage(error: unknown): boolean {
  if (!isDatabaseError(error)) return false;
  return (error as DriverError).severity !== 'ERROR' || OUTAGE.test(codeOf(error));
}

export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === DISK_FULL;
}

function codeOf(error: unknown): string {
  return error instanceof Error ? String((error as DriverError).code) : '';
}
