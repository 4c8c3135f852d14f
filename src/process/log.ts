import { type Logger, pino } from 'pino';
import { BufferedStdout } from './buffered-stdout.ts';

export type Log = Logger;

/** Logs JSON lines to stdout. Callers pass ids, codes and counts: never a key, a body or personal data. */
export function createLog(level: string): Log {
  const options = {
    level,
    base: { service: 'footfall', pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  if (level === 'silent') return pino(options);
  const stdout = new BufferedStdout((lines) =>
    log.warn({ lines }, 'lines of the log were dropped, because nobody read them'),
  );
  const log = pino(options, stdout);
  return log;
}

/** Creates the log of a thread, whose lines `forwardLine` writes to the log of its process. */
export function createThreadLog(level: string, write: (line: string) => void): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: false,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
}

export function forwardLine(log: Log, line: string): void {
  const { level, msg, ...fields } = JSON.parse(line);
  log[level as 'info']({ ...fields, ...(fields.err && { err: new DescribedError(fields.err) }) }, msg);
}

/** An error as another thread described it. */
export class DescribedError extends Error {
  readonly described: LoggedError;

  constructor(described: LoggedError) {
    super(described.message);
    this.described = described;
  }
}

export interface LoggedError {
  type: string;
  message: string;
  code?: unknown;
  /** The stack without the message. */
  stack: string;
  /** The constraint, and its table, that Postgres found violated. */
  table?: unknown;
  constraint?: unknown;
  cause?: LoggedError;
}

/**
 * Returns what the log may contain of an error. Its other properties may hold data: Postgres quotes the values of a row
 * in `detail` and `where`, a body parser attaches the body, MikroORM the query. So may quoted parts of its message:
 * 'invalid input syntax for type uuid: "ada@example.com"', 'Unexpected token a, "ada@…" is not valid JSON'.
 */
export function describeError(error: unknown): LoggedError | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof DescribedError) return error.described;
  const { name, message, code, stack = '', table, constraint, cause } = error as Error & Record<string, unknown>;
  return {
    type: name,
    message: message.replace(/".*"/s, '"…"').slice(0, 500),
    ...(code === undefined ? {} : { code }),
    ...(table === undefined ? {} : { table }),
    ...(constraint === undefined ? {} : { constraint }),
    stack: (stack.match(/^ {4}at .*$/gm) ?? []).join('\n'),
    ...(cause instanceof Error ? { cause: describeError(cause) as LoggedError } : {}),
  };
}
