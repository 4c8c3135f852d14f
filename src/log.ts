import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Characters that are collected before they are written, and milliseconds that they wait at most. */
const BUFFER_LENGTH = 15_360;
const FLUSH_MS = 100;

/**
 * stdout, written to in pieces: a system call for each line would be a twentieth of what a request costs. The stream
 * that is underneath could collect them too, but measures, and so copies, all that it has for each line.
 */
function openStdout() {
  const stdout = pino.destination({ dest: 1, sync: false });
  let lines = '';
  const flush = () => {
    if (lines !== '') stdout.write(lines);
    lines = '';
  };
  setInterval(flush, FLUSH_MS).unref();
  // What a process that ends still holds.
  process.on('exit', () => {
    flush();
    stdout.flushSync();
  });
  return {
    write(line: string): void {
      lines += line;
      if (lines.length >= BUFFER_LENGTH) flush();
    },
  };
}

/** JSON lines on stdout. Callers pass ids, codes and counts: never a key, a body or personal data. */
export function createLog(level: string): Log {
  const options = {
    level,
    base: { service: 'footfall', pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: describeError },
  };
  return level === 'silent' ? pino(options) : pino(options, openStdout());
}

export interface LoggedError {
  type: string;
  message: string;
  code?: unknown;
  /** Where it was thrown, without the message. */
  stack: string;
  /** Which constraint of which table Postgres found violated. */
  table?: unknown;
  constraint?: unknown;
  cause?: LoggedError;
}

/**
 * What the log may know of an error. Its other properties may hold data: Postgres quotes the values of a row in
 * `detail` and `where`, a body parser attaches the body, MikroORM the query. So may its message, between quotation
 * marks: 'invalid input syntax for type uuid: "ada@example.com"', 'Unexpected token a, "ada@…" is not valid JSON'.
 */
export function describeError(error: unknown): LoggedError | undefined {
  if (!(error instanceof Error)) return undefined;
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
