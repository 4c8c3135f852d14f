/** Every bound on what a request may cost that is not a setting; those that are one are in `config.ts`. */

/** Bytes of a request's line and headers together. Node's own default: browsers and proxies stay below. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Bytes of a body, after decompression. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;

/** Pieces in which a body of up to `LARGE_BODY_BYTES` may arrive: each takes memory of its own. */
export const MAX_SMALL_BODY_CHUNKS = 1_000;

/**
 * How many times as large as what was sent a decompressed body of more than 1 MB may be. Gzip makes a thousandth of a
 * text that repeats one letter, and no less; brotli would make a millionth of it.
 */
export const MAX_COMPRESSION = 1_100;

/** Bytes from which on a request is worked on in a thread of its own, one at a time of each store. */
export const LARGE_BODY_BYTES = 64 * 1024;

/** Requests of a connection that read and wait for an earlier answer; one with more of them is closed. */
export const MAX_WAITING_READS = 250;

/** Milliseconds between two looks for connections whose request takes too long to arrive. */
export const LATE_CHECK_MS = 1_000;

/**
 * Milliseconds that a connection stays open for the next request. Longer than the 60 s of common load balancers:
 * the one that closes first should be theirs, else a request can meet a connection that is just being closed.
 */
export const KEEP_ALIVE_MS = 65_000;

/** Milliseconds without a byte in either direction while a request is in hand: its client is gone, or reads nothing. */
export const SILENCE_MS = 60_000;

/** Milliseconds for which a connection that was refused is still read from, so that the client can see why. */
export const LINGER_MS = 500;

/**
 * Milliseconds that one request may wait for the database. It answers within 5 s whatever becomes of the database and of
 * Redis, for which it waits a second; this leaves time to write the answer.
 */
export const DATABASE_BUDGET_MS = 3_700;

/** How long one connection and one statement may take, in milliseconds: each has to fit into the budget above. */
export const DATABASE_TIMEOUTS = {
  // Also the wait for a free connection of the pool.
  connectionTimeoutMillis: 2_000,
  lock_timeout: 2_200,
  statement_timeout: 3_000,
  // For a server that can't even keep its own time limits: frozen, or cut off.
  query_timeout: 3_500,
  idle_in_transaction_session_timeout: 10_000,
};
