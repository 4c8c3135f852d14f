import { overloaded } from '../domain/service-error.ts';

/** Memory of this process for requests of all stores, of which each store has a limited share. */
export class MemoryBudget {
  readonly #maxBytes: number;
  readonly #maxBytesOfStore: number;
  #bytes = 0;
  readonly #bytesOfStores = new Map<string, number>();

  constructor(maxBytes: number, maxBytesOfStore: number) {
    this.#maxBytes = maxBytes;
    this.#maxBytesOfStore = maxBytesOfStore;
  }

  /** Takes memory for a store, which must be released. Throws `upstream_error` if that is too much. */
  take(storeId: string, bytes: number): void {
    this.check(storeId, bytes);
    this.takeUnconditionally(storeId, bytes);
  }

  /** Returns the bytes that a store may still take. */
  left(storeId: string): number {
    return Math.max(0, Math.min(this.#maxBytes - this.#bytes, this.#maxBytesOfStore - this.#ofStore(storeId)));
  }

  /** Throws `upstream_error` if a store can't take this many bytes. */
  check(storeId: string, bytes: number): void {
    if (bytes > this.left(storeId)) throw overloaded();
  }

  takeUnconditionally(storeId: string, bytes: number): void {
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
