interface Client {
  query(...args: unknown[]): unknown;
  end(): unknown;
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
 * Closes a connection whose query was given up after `query_timeout`: the query, and its transaction, may still go on
 * in the server. Back in the pool it would run the next request's statements in that transaction, or wait with them.
 */
export function closeGivenUp(pool: Pool): void {
  pool.on('connect', (client) => {
    const query = client.query.bind(client);
    client.query = (...args) => {
      const result = query(...args);
      if (result instanceof Promise) {
        result.catch(({ message }: Error) => message === 'Query read timeout' && client.end());
      }
      return result;
    };
  });
}
