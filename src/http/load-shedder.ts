import { MAX_BODY_BYTES } from '../process/limits.ts';
import { overloaded, SharedMemory } from './memory-budget.ts';

/** A store may have one part of so many of the memory for bodies. */
const SHARES = 4;

/**
 * What this process has in hand. What would exceed its bounds is refused at once, so that the rest is still answered in
 * time, rather than everything late and the memory full.
 */
export class Load {
  readonly #maxRequests: number;
  readonly #bodies: SharedMemory;
  #requests = 0;

  constructor({ maxRequests, maxBodyMemory }: { maxRequests: number; maxBodyMemory: number }) {
    this.#maxRequests = maxRequests;
    const bytes = maxBodyMemory * 1024 * 1024;
    this.#bodies = new SharedMemory(bytes, Math.max(MAX_BODY_BYTES, bytes / SHARES));
  }

  /** Does some work for a request. Throws `upstream_error` where too much is under way. */
  async work<T>(run: () => Promise<T>): Promise<T> {
    if (this.#requests >= this.#maxRequests) throw overloaded();
    this.#requests += 1;
    try {
      return await run();
    } finally {
      this.#requests -= 1;
    }
  }

  /** Room for one body of a store, which has to be released. */
  bodyRoom(storeId: string): BodyRoom {
    return new BodyRoom(this.#bodies, storeId);
  }
}

/** The memory that one body takes: as much as has arrived of it. */
export class BodyRoom {
  readonly #memory: SharedMemory;
  readonly #storeId: string;
  #taken = 0;

  constructor(memory: SharedMemory, storeId: string) {
    this.#memory = memory;
    this.#storeId = storeId;
  }

  /** Takes memory for so many bytes more. Throws `upstream_error` where there is none. */
  take(bytes: number): void {
    this.#memory.take(this.#storeId, bytes);
    this.#taken += bytes;
  }

  release(): void {
    if (this.#taken > 0) this.#memory.release(this.#storeId, this.#taken);
    this.#taken = 0;
  }
}
