import { overloaded } from '../domain/service-error.ts';
import { MAX_BODY_BYTES } from '../process/limits.ts';
import { MemoryBudget } from './memory-budget.ts';

/** A store may use one part in this many of the memory for bodies; and so may all pages and apps together. */
const SHARES = 4;
/** Those of one store may use one part in this many. */
const SHARES_OF_CLIENTS = 16;
/** Bytes of bodies that one address may have under way to a store as a page or an app. */
const BYTES_OF_ADDRESS = 256 * 1024;
/** All pages and apps, among the stores of the memory for bodies. */
const CLIENTS = 'clients';

/**
 * Limits what this process handles at once and refuses the rest immediately: the accepted requests are served in time,
 * rather than all late with the memory full.
 */
export class LoadShedder {
  readonly #maxRequests: number;
  readonly #bodies: MemoryBudget;
  readonly #bodiesOfClients: MemoryBudget;
  readonly #bodiesOfAddresses: MemoryBudget;
  #requests = 0;

  constructor({ maxRequests, maxBodyMemory }: { maxRequests: number; maxBodyMemory: number }) {
    this.#maxRequests = maxRequests;
    const bytes = maxBodyMemory * 1024 * 1024;
    this.#bodies = new MemoryBudget(bytes, Math.max(MAX_BODY_BYTES, bytes / SHARES));
    this.#bodiesOfClients = new MemoryBudget(bytes, bytes / SHARES_OF_CLIENTS);
    this.#bodiesOfAddresses = new MemoryBudget(bytes, BYTES_OF_ADDRESS);
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
    return new BodyBudget([[this.#bodies, storeId]]);
  }

  /** The same for a body from a page or an app: bodies that nobody vouches for leave those of the store's servers alone. */
  clientBodyBudget(storeId: string, address: string): BodyBudget {
    return new BodyBudget([
      [this.#bodies, CLIENTS],
      [this.#bodiesOfClients, storeId],
      [this.#bodiesOfAddresses, `${storeId} ${address}`],
    ]);
  }
}

/** The memory of one body: as much as has arrived of it. */
export class BodyBudget {
  readonly #parts: readonly [memory: MemoryBudget, subject: string][];
  #taken = 0;

  constructor(parts: readonly [memory: MemoryBudget, subject: string][]) {
    this.#parts = parts;
  }

  /** Takes more bytes. Throws `upstream_error` if there are none left. */
  take(bytes: number): void {
    for (const [memory, subject] of this.#parts) memory.check(subject, bytes);
    for (const [memory, subject] of this.#parts) memory.takeUnconditionally(subject, bytes);
    this.#taken += bytes;
  }

  release(): void {
    if (this.#taken > 0) for (const [memory, subject] of this.#parts) memory.release(subject, this.#taken);
    this.#taken = 0;
  }
}
