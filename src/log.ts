import { type Logger, pino } from 'pino';

export type Log = Logger;

/** JSON lines on stdout. Callers pass ids, codes and counts: never a key, a body or personal data. */
export function createLog(level: string): Log {
  return pino({ level, base: { service: 'footfall' }, timestamp: pino.stdTimeFunctions.isoTime });
}
