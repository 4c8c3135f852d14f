import { overloaded, ServiceError } from '../service-error.ts';

/** Exports of this process at a time; of them one for each store. */
const MAX_AT_ONCE = 4;
/** Seconds after which the one of the store may be over. */
const RETRY_AFTER = 15;

/** What exports of customers may take: each reads as fast as its client does. */
export class ExportSlots {
  readonly #stores = new Set<string>();

  /**
   * Takes the slot of a store; the returned function releases it. Throws `rate_limit_exceeded` if it is taken,
   * `upstream_error` if all are.
   */
  take(storeId: string): () => void {
    if (this.#stores.has(storeId)) {
      const message = 'Another customer of the store is being exported; try again once that is over';
      throw new ServiceError('rate_limit_exceeded', message, { retryAfter: RETRY_AFTER });
    }
    if (this.#stores.size >= MAX_AT_ONCE) throw overloaded('Too many customers are being exported; try again later');
    this.#stores.add(storeId);
    return () => this.#stores.delete(storeId);
  }
}
