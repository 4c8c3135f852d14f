import { MAX_BODY_BYTES, RETRY_AFTER_OVERLOAD } from '../bounds.ts';
import { ServiceError } from '../domain/errors.ts';

/** A store may have one part of so many of the memory for bodies. */
const SHARES = 4;

/**
 * What this process has in hand. What would exceed its bounds is refused at once, so that the rest is still answered in
 * time, rather than everything late and the memory full.
 */
export class Load {
  readonly #maxRequests: number;
  readonly #maxBytes: number;
  readonly #maxBytesOfStore: number;
  #requests = 0;
  #bytes = 0;
  readonly #bytesOfStores = new Map<string, number>();

  constructor({ maxRequests, maxBodyMemory }: { maxRequests: number; maxBodyMemory: number }) {
    this.#maxRequests = maxRequests;
    this.#maxBytes = maxBodyMemory * 1024 * 1024;
    this.#maxBytesOfStore = Math.max(MAX_BODY_BYTES, this.#maxBytes / SHARES);
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
    return new BodyRoom(this, storeId);
  }

  /** Adds to what the bodies of a store have taken. Throws `upstream_error` where that is too much. */
  takeRoom(storeId: string, bytes: number): void {
    const ofStore = (this.#bytesOfStores.get(storeId) ?? 0) + bytes;
    if (ofStore > this.#maxBytesOfStore || this.#bytes + bytes > this.#maxBytes) throw overloaded();
    this.#bytes += bytes;
    this.#bytesOfStores.set(storeId, ofStore);
  }

  releaseRoom(storeId: string, bytes: number): void {
    this.#bytes -= bytes;
    const ofStore = (this.#bytesOfStores.get(storeId) ?? 0) - bytes;
    if (ofStore > 0) this.#bytesOfStores.set(storeId, ofStore);
    else this.#bytesOfStores.delete(storeId);
  }
}

/** The memory that one body takes: as much as has arrived of it. */
export class BodyRoom {
  readonly #load: Load;
  readonly #storeId: string;
  #taken = 0;

  constructor(load: Load, storeId: string) {
    this.#load = load;
    this.#storeId = storeId;
  }

  /** Takes memory for so many bytes more. Throws `upstream_error` where there is none. */
  take(bytes: number): void {
    this.#load.takeRoom(this.#storeId, bytes);
    this.#taken += bytes;
  }

  release(): void {
    if (this.#taken > 0) this.#load.releaseRoom(this.#storeId, this.#taken);
    this.#taken = 0;
  }
}

function overloaded(): ServiceError {
  return new ServiceError('upstream_error', 'The service is overloaded; try again later', {
    retryAfter: RETRY_AFTER_OVERLOAD,
  });
}
