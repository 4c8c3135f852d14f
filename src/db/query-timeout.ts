import type { Pool as Connections } from 'pg';
import { SharedTimeout } from '../concurrency/shared-timeout.ts';

type Callback = (error: Error | null, result?: unknown) => void;

/** The part of a connection of `pg` whose queries are wrapped here. */
export interface Client {
  query(...args: unknown[]): unknown;
  end(): unknown;
  /** Whether statements are sent ahead. */
  pipeline?: boolean;
}

/** The part of `pg`'s connection pool that is used here. */
export interface Pool {
  on(event: 'connect', listener: (client: Client) => void): unknown;
  readonly totalCount: number;
  readonly idleCount: number;
  /** Queries that wait for a connection. */
  readonly waitingCount: number;
}

/**
 * Fails a query that takes longer than `ms` milliseconds and closes its connection: the query and its transaction may
 * still be running on the server. Back in the pool, the connection would run the next request's statements in that
 * transaction, or wait for it. `onTimeout` is called then.
 *
 * Not `pg`'s own `query_timeout`, which keeps finished queries in memory; see the guide on performance.
 */
export function limitQueryTime(client: Client, ms: number, onTimeout: () => void): void {
  const query = client.query.bind(client);
  const ask = async (args: unknown[]): Promise<unknown> => {
    try {
      return await new Promise((resolve, reject) => {
        const timeout = new SharedTimeout(ms, () => {
          reject(new Error('Query read timeout'));
          // With it, the connection would be closed only once all that was sent is answered.
          client.pipeline = false;
          client.end();
          onTimeout();
        });
        const answered: Callback = (error, result) => {
          timeout.cancel();
          if (error) reject(error);
          else resolve(result);
        };
        query(...args, answered);
      });
    } catch (error) {
      // The driver's own stack begins where the result was read.
      Error.captureStackTrace(error as Error);
      throw error;
    }
  };
  client.query = withCallback(ask);
}

/**
 * Closes the connections of a pool that are idle, after a query on another was not answered in time: where the network has
 * forgotten it, it has forgotten them all, and each would cost somebody as much time again.
 */
export function closeIdle(pool: Pick<Connections, 'idleCount' | 'connect'>): void {
  for (let left = pool.idleCount; left > 0; left -= 1) {
    pool.connect().then(
      (client) => client.release(true),
      () => {},
    );
  }
}

/** Has a function that returns a promise take a callback, too, as the last argument. */
export function withCallback(ask: (args: unknown[]) => Promise<unknown>): Client['query'] {
  return (...args) => {
    const callback = args.at(-1);
    if (typeof callback !== 'function') return ask(args);
    ask(args.slice(0, -1)).then((result) => callback(null, result), callback as Callback);
    return undefined;
  };
}
