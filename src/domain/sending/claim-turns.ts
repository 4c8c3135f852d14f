import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';

/** Milliseconds that an endpoint waits at most to look for deliveries: only a server that hangs lets it wait that long. */
const MAX_WAIT_MS = 30_000;

/**
 * Who looks for deliveries on a server: as many at a time as there are connections to it. They have slots for requests
 * meanwhile, which those who would wait for a connection, as to a server that hangs, must not keep from others.
 */
export function claimTurns(
  connections: number,
  serverOf: (storeId: string) => string,
  maxWaitMs = MAX_WAIT_MS,
): FairSemaphore {
  return new FairSemaphore({
    permits: connections,
    permitsPerStore: connections,
    groupOf: serverOf,
    timeoutMs: maxWaitMs,
    maxWaitingPerStore: Number.POSITIVE_INFINITY,
    refusal: () => new Error('The server with the deliveries does not respond'),
  });
}
