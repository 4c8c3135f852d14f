import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { scaleTimes } from '../process/database-patience.ts';

/**
 * Maximum milliseconds for which new requests are still served while others are in flight, so that load balancers can
 * see the 503 of `/health/ready`.
 */
const LISTEN_MS = 2_000;
/** Milliseconds for requests in flight to end, including the above; by default a request takes 5 s at most, a large one 9. */
const DRAIN_MS = 9_000;
/** At most: a stop has 45 s, and what waits for the database has to end in it, too. */
const MAX_DRAIN_MS = 20_000;

/**
 * Returns a function that stops accepting connections, lets the requests in flight end, and closes the server. `timeout`:
 * seconds that a request may wait for the database.
 */
export function createDrain(server: Server, timeout: number): () => Promise<void> {
  const drainMs = Math.min(scaleTimes({ drain: DRAIN_MS }, timeout).drain, MAX_DRAIN_MS);
  let inFlight = 0;
  server.on('request', (_request, response) => {
    inFlight += 1;
    response.once('close', () => {
      inFlight -= 1;
    });
  });
  return async () => {
    const start = performance.now();
    while (inFlight > 0 && performance.now() - start < LISTEN_MS) await sleep(10);
    let isClosed = false;
    server.close(() => {
      isClosed = true;
    });
    while (!isClosed) {
      if (performance.now() - start > drainMs) server.closeAllConnections();
      // Connections that have just sent a response would otherwise stay open for the next request.
      else server.closeIdleConnections();
      await sleep(10);
    }
  };
}
