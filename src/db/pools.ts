import { ServiceError } from '../domain/errors.ts';
import { Turns } from '../turns.ts';
import type { Sql } from './orm.ts';

/** Milliseconds that a request waits until its store may use another connection. */
const PATIENCE_MS = 2_500;
/** Requests of a store that wait for that. */
const MAX_WAITING = 200;

/** How many of a process's connections are for reading, so that dear reads do not hold up what is written; the rest. */
export function split(poolSize: number): { reading: number; writing: number } {
  const reading = Math.floor(poolSize / 2);
  return { reading, writing: poolSize - reading };
}

/** Does some work at the database when it is a store's turn to. */
export type InTurn = <Result>(storeId: string, work: (db: Sql) => Promise<Result>) => Promise<Result>;

/** Who uses the connections of a pool: one store no more than half of them. */
export function turnsAt(connections: number): Turns {
  return new Turns({
    atATime: connections,
    ofStore: Math.max(1, Math.floor(connections / 2)),
    patienceMs: PATIENCE_MS,
    maxWaiting: MAX_WAITING,
    message: 'Too many requests of the store are waiting for the database; try again later',
    stuck: () => new ServiceError('database_error', 'The database did not respond in time; try again'),
  });
}
