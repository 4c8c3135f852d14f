import { ServiceError } from '../domain/service-error.ts';
import { RETRY_AFTER_OVERLOAD } from '../process/limits.ts';

/** Memory of this process that requests of all stores take, and of which a store has no more than its share. */
export class SharedMemory {
  readonly #maxBytes: number;
  readonly #maxBytesOfStore: number;
  #bytes = 0;
  readonly #bytesOfStores = new Map<string, number>();

  constructor(maxBytes: number, maxBytesOfStore: number) {
    this.#maxBytes = maxBytes;
    this.#maxBytesOfStore = maxBytesOfStore;
  }

  /** Takes memory for a store, which has to be released. Throws `upstream_error` where that is too much. */
  take(storeId: string, bytes: number): void {
    this.check(storeId, bytes);
    this.takeAnyway(storeId, bytes);
  }

  /** Bytes that a store may still take. */
  left(storeId: string): number {
    return Math.max(0, Math.min(this.#maxBytes - this.#bytes, this.#maxBytesOfStore - this.#ofStore(storeId)));
  }

  /** Throws `upstream_error` where so much could not be taken. */
  check(storeId: string, bytes: number): void {
    if (bytes > this.left(storeId)) throw overloaded();
  }

  takeAnyway(storeId: string, bytes: number): void {
    this.#bytes += bytes;
    this.#bytesOfStores.set(storeId, this.#ofStore(storeId) + bytes);
  }

  release(storeId: string, bytes: number): void {
    this.#bytes -= bytes;
    const ofStore = this.#ofStore(storeId) - bytes;
    if (ofStore > 0) this.#bytesOfStores.set(storeId, ofStore);
    else this.#bytesOfStores.delete(storeId);
  }

  #ofStore(storeId: string): number {
    return this.#bytesOfStores.get(storeId) ?? 0;
  }
}

export function overloaded(): ServiceError {
  return new ServiceError('upstream_error', 'The service is overloaded; try again later', {
    retryAfter: RETRY_AFTER_OVERLOAD,
  });
}
