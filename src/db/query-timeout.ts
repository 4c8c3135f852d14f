import { SharedTimeout } from '../concurrency/shared-timeout.ts';

type Callback = (error: Error | null, result?: unknown) => void;

interface Client {
  query(...args: unknown[]): unknown;
  end(): unknown;
  setTypeParser(oid: number, parse: (text: string) => unknown): void;
}

/** The connection pool of `pg`, as far as it matters here. */
export interface Pool {
  on(event: 'connect', listener: (client: Client) => void): unknown;
  readonly totalCount: number;
  readonly idleCount: number;
  /** Queries that wait for a connection. */
  readonly waitingCount: number;
}

/**
 * Gives up on a query that takes longer than so many milliseconds, and closes its connection: the query, and its
 * transaction, may still go on in the server. Back in the pool it would run the next request's statements in that
 * transaction, or wait with them.
 *
 * The `query_timeout` of `pg` is not for the hot path: it sets functions as properties of the query. V8 makes those in
 * the old generation, where they keep the query and all that it sent until a major collection.
 */
export function limitQueryTime(pool: Pool, ms: number): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    const ask = async (args: unknown[]): Promise<unknown> => {
      try {
        return await new Promise((resolve, reject) => {
          const wait = new SharedTimeout(ms, () => {
            reject(new Error('Query read timeout'));
            client.end();
          });
          const answered: Callback = (error, result) => {
            wait.cancel();
            if (error) reject(error);
            else resolve(result);
          };
          query(...args, answered);
        });
      } catch (error) {
        // That of the driver begins where the answer was read.
        Error.captureStackTrace(error as Error);
        throw error;
      }
    };
    client.query = (...args) => {
      const callback = args.at(-1);
      if (typeof callback !== 'function') return ask(args);
      ask(args.slice(0, -1)).then((result) => callback(null, result), callback as Callback);
      return undefined;
    };
  });
}
