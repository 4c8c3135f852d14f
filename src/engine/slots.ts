import { FairSemaphore } from '../concurrency/fair-semaphore.ts';

/**
 * What a process may have under way: requests, or messages. Whoever has a turn takes a share of those that are free, and each store leaves
 * as many as it has, so that none takes all, however many turns it has.
 */
export class Slots {
  #free: number;
  /** Taken, by store. */
  readonly #taken = new Map<string, number>();

  constructor(size: number) {
    this.#free = size;
  }

  /**
   * Takes as many as are wanted, but an eighth of those that are free at most; at least one if there is any and its store
   * has none. Returns how many.
   */
  reserve(storeId: string, wanted: number): number {
    const left = this.#free - this.#takenBy(storeId);
    const count = Math.min(wanted, Math.ceil(this.#free / 8), Math.max(0, Math.ceil(left / 2)));
    this.#add(storeId, count);
    return count;
  }

  release(storeId: string, count: number): void {
    this.#add(storeId, -count);
  }

  #takenBy(storeId: string): number {
    return this.#taken.get(storeId) ?? 0;
  }

  #add(storeId: string, count: number): void {
    const taken = this.#takenBy(storeId) + count;
    this.#free -= count;
    if (taken > 0) this.#taken.set(storeId, taken);
    else this.#taken.delete(storeId);
  }
}

/** Milliseconds that a turn waits at most to look for what is due: only a server that hangs lets it wait that long. */
const MAX_WAIT_MS = 30_000;

/**
 * Who looks for what is due on a server: as many at a time as there are connections to it. They have slots
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
    refusal: () => new Error('The server with what is due does not respond'),
  });
}
