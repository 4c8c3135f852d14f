import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import type { Sql } from '../db/orm.ts';
import type { StoreData } from '../db/store-data.ts';
import { DATABASE_WAITS, scaleTimes } from '../process/database-patience.ts';
import { overloaded, ServiceError } from './service-error.ts';

/** Requests of one store that may wait for a connection. */
const MAX_WAITING = 200;

/** Divides a process's connections so that expensive reads do not delay writes. */
export function splitPool(poolSize: number): { reading: number; writing: number } {
  const reading = Math.floor(poolSize / 2);
  return { reading, writing: poolSize - reading };
}

/**
 * Runs some work on the store's data once the store may use another connection; `shared` is where the stores themselves
 * are, which may be in another database.
 */
export type WithConnection = <Result>(
  storeId: string,
  work: (db: Sql, shared: Sql) => Promise<Result>,
) => Promise<Result>;

/**
 * Shares the connections to each server between its stores; each may hold at most half. `timeout`: seconds that a request
 * may wait for the database, if not the default.
 */
export function shareConnections(
  connections: number,
  { nodeOf }: Pick<StoreData, 'nodeOf'>,
  timeout?: number,
): FairSemaphore {
  return new FairSemaphore({
    groupOf: nodeOf,
    permits: connections,
    permitsPerStore: Math.max(1, Math.floor(connections / 2)),
    timeoutMs: scaleTimes(DATABASE_WAITS, timeout).permit,
    maxWaitingPerStore: MAX_WAITING,
    refusal: () => overloaded('Too many requests of the store are waiting for the database; try again later'),
    stuck: () => new ServiceError('database_error', 'The database did not respond in time; try again'),
  });
}
