/** Bounds on one request and its connection that are not settings. Modules keep their other limits themselves. */

/** Maximum bytes of a request's line and headers together: Node's default, which browsers and proxies stay below. */
export const MAX_HEADER_BYTES = 16 * 1024;

/** Maximum bytes of a body, after decompression. */
export const MAX_BODY_BYTES = 5 * 1024 * 1024;

/** Maximum chunks in which a body of up to `LARGE_BODY_BYTES` may arrive: each takes memory of its own. */
export const MAX_SMALL_BODY_CHUNKS = 1_000;

/**
 * Maximum compression ratio of a body of more than 1 MB decompressed. Gzip reaches a thousand at most, for one repeated
 * letter; brotli would reach a million.
 */
export const MAX_COMPRESSION = 1_100;

/** Bytes above which a request is handled in a separate thread, two per store at a time. */
export const LARGE_BODY_BYTES = 64 * 1024;

/** Maximum pipelined read requests of a connection that wait for an earlier response; with more it is closed. */
export const MAX_WAITING_READS = 250;

/** Milliseconds between two checks for requests that arrive too slowly. */
export const LATE_CHECK_MS = 1_000;

/**
 * Milliseconds that an idle connection stays open. Longer than the 60 s of common load balancers, which should close
 * first: otherwise a request can meet a connection that is just being closed.
 */
export const KEEP_ALIVE_MS = 65_000;

/**
 * Milliseconds without a byte in either direction during a request, after which its client is gone or reads nothing.
 */
export const SILENCE_MS = 60_000;

/** Milliseconds for which a refused connection is still read from, so that the client can see why. */
export const LINGER_MS = 500;
