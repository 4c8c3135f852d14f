import { overloaded } from '../domain/service-error.ts';
import { MAX_BODY_BYTES } from '../process/limits.ts';
import { MemoryBudget } from './memory-budget.ts';

/** A store may have one part of so many of the memory for bodies. */
const SHARES = 4;

/**
 * What this process has in hand. What would exceed its bounds is refused at once, so that the rest is still answered in
 * time, rather than everything late and the memory full.
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

  /** Does some work for a request. Throws `upstream_error` where too much is under way. */
  async run<T>(run: () => Promise<T>): Promise<T> {
    if (this.#requests >= this.#maxRequests) throw overloaded();
    this.#requests += 1;
    try {
      return await run();
    } finally {
      this.#requests -= 1;
    }
  }

  /** Room for one body of a store, which has to be released. */
  bodyBudget(storeId: string): BodyBudget {
    return new BodyBudget(this.#bodies, storeId);
  }
}

/** The memory that one body takes: as much as has arrived of it. */
export class BodyBudget {
  readonly #memory: MemoryBudget;
  readonly #storeId: string;
  #taken = 0;

  constructor(memory: MemoryBudget, storeId: string) {
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
