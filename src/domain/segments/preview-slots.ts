import { overloaded, ServiceError } from '../service-error.ts';

/** Previews of this process at a time, one for each store. */
const MAX_AT_ONCE = 2;
/** Milliseconds that the previews of a store may take in a minute. */
const [BUDGET_MS, WINDOW_MS] = [20_000, 60_000];

/** What previews may take: each keeps a connection and a core busy, and people ask for one after each change. */
export class PreviewSlots {
  readonly #running = new Set<string>();
  /** By store, the previews that ended in the last minute. */
  readonly #spent = new Map<string, { at: number; ms: number }[]>();

  /** Throws `rate_limit_exceeded` if the store has used up its share, `upstream_error` if others use all there is. */
  async use<Result>(storeId: string, work: () => Promise<Result>): Promise<Result> {
    const start = performance.now();
    if (this.#running.has(storeId)) throw tooMany('Another preview of the store is being worked out', 1);
    const spent = this.#spentOf(storeId, start);
    const oldest = spent[0];
    if (oldest && spent.reduce((sum, { ms }) => sum + ms, 0) >= BUDGET_MS) {
      const retryAfter = Math.max(1, Math.ceil((oldest.at + WINDOW_MS - start) / 1_000));
      throw tooMany('The previews of the store have taken too long in the last minute', retryAfter);
    }
    if (this.#running.size >= MAX_AT_ONCE) throw overloaded();
    this.#running.add(storeId);
    try {
      return await work();
    } finally {
      this.#running.delete(storeId);
      const end = performance.now();
      this.#spent.set(storeId, [...this.#spentOf(storeId, end), { at: end, ms: end - start }]);
    }
  }

  #spentOf(storeId: string, now: number): { at: number; ms: number }[] {
    const recent = (this.#spent.get(storeId) ?? []).filter(({ at }) => at > now - WINDOW_MS);
    if (recent.length === 0) this.#spent.delete(storeId);
    return recent;
  }
}

function tooMany(message: string, retryAfter: number): ServiceError {
  return new ServiceError('rate_limit_exceeded', `${message}; try again later`, { retryAfter });
}
