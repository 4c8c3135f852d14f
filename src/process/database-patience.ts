/**
 * Seconds that one request may wait for the database, unless `DATABASE_TIMEOUT` says otherwise. So it completes within 5 s
 * whatever happens to the database and to Redis, for which it waits a second; this leaves time to write the response.
 */
export const DATABASE_TIMEOUT = 3.7;

/** Milliseconds that each of its waits may take by default: each has to fit into the whole. */
export const DATABASE_WAITS = {
  /** For a connection from its store's share. */
  permit: 2_500,
  /** For its batch to begin: after that no client waits for the result any more. */
  batch: 3_500,
};

/** Milliseconds that one connection and one statement may take by default: each has to fit into the whole, too. */
export const DATABASE_TIMEOUTS = {
  // Also the wait for a free connection of the pool.
  connectionTimeoutMillis: 2_000,
  lock_timeout: 2_200,
  statement_timeout: 3_000,
  // For a server that can't even enforce its own timeouts: frozen, or cut off.
  query_timeout: 3_500,
  idle_in_transaction_session_timeout: 10_000,
};

/** The same for requests that may wait so many seconds in all. */
export function scaleTimes<Times extends Record<string, number>>(
  times: Times,
  seconds: number = DATABASE_TIMEOUT,
): Record<keyof Times, number> {
  const scaled = Object.entries(times).map(([name, ms]) => [name, Math.round((ms * seconds) / DATABASE_TIMEOUT)]);
  return Object.fromEntries(scaled);
}
