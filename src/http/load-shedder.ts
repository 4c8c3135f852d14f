import { overloaded } from '../domain/service-error.ts';
import { MAX_BODY_BYTES } from '../process/limits.ts';
import { MemoryBudget } from './memory-budget.ts';

/** A store may use one part in this many of the memory for bodies. */
const SHARES = 4;

/**
 * Limits what this process handles at once and refuses the rest immediately: the accepted requests are served in time,
 * rather than all late with the memory full.
 */
export class LoadShedder {
  readonly #maxRequests: number;
  readonly #bodies: MemoryBudget;
  #requests = 0;

  constructor({ maxRequests, maxBodyMemory }: { maxRequests: number; maxBodyMemory: number }) {
    this.#maxRequests = maxRequests;
    const bytes = maxBodyMemory * 1024 * 1024;
    this.#bodies = new MemoryBudget(bytes, Math.max(MAX_BODY_BYTES, bytes / SHARES));
  }

  /** Handles a request. Throws `upstream_error` if too many are in flight. */
  async run<T>(run: () => Promise<T>): Promise<T> {
    if (this.#requests >= this.#maxRequests) throw overloaded();
    this.#requests += 1;
    try {
      return await run();
    } finally {
      this.#requests -= 1;
    }
  }

  /** Returns the memory budget of one body of a store, which must be released. */
  bodyBudget(storeId: string): BodyBudget {
    return new BodyBudget(this.#bodies, storeId);
  }
}

/** The memory of one body: as much as has arrived of it. */
export class BodyBudget {
  readonly #memory: MemoryBudget;
  readonly #storeId: string;
  #taken = 0;

  constructor(memory: MemoryBudget, storeId: string) {
    this.#memory = memory;
    this.#storeId = storeId;
  }

  /** Takes more bytes. Throws `upstream_error` if there are none left. */
  take(bytes: number): void {
    this.#memory.take(this.#storeId, bytes);
    this.#taken += bytes;
  }

  release(): void {
    if (this.#taken > 0) this.#memory.release(this.#storeId, this.#taken);
    this.#taken = 0;
  }
}
