import { overloaded, ServiceError } from '../service-error.ts';

/** Exports of this process at a time; of them one for each store. */
const MAX_AT_ONCE = 4;
/** Seconds after which the one of the store may be over. */
const RETRY_AFTER = 15;

const OF_CUSTOMERS = {
  taken: 'Another customer of the store is being exported; try again once that is over',
  full: 'Too many customers are being exported; try again later',
};
export const OF_AUDIT_LOGS: typeof OF_CUSTOMERS = {
  taken: 'The audit log of the store is being exported already; try again once that is over',
  full: 'Too many audit logs are being exported; try again later',
};

/** What exports may take: each reads as fast as its client does. */
export class ExportSlots {
  readonly #stores = new Set<string>();
  readonly #refusals: typeof OF_CUSTOMERS;

  constructor(refusals = OF_CUSTOMERS) {
    this.#refusals = refusals;
  }

  /**
   * Takes the slot of a store; the returned function releases it. Throws `rate_limit_exceeded` if it is taken,
   * `upstream_error` if all are.
   */
  take(storeId: string): () => void {
    if (this.#stores.has(storeId)) {
      throw new ServiceError('rate_limit_exceeded', this.#refusals.taken, { retryAfter: RETRY_AFTER });
    }
    if (this.#stores.size >= MAX_AT_ONCE) throw overloaded(this.#refusals.full);
    this.#stores.add(storeId);
    return () => this.#stores.delete(storeId);
  }
}
