import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { overloaded, ServiceError } from '../service-error.ts';

/** How many previews of a store wait, and milliseconds for how long. */
const [MAX_WAITING, MAX_WAIT_MS] = [20, 1_500];
/** Milliseconds that the previews of a store may take in a minute. */
const [BUDGET_MS, WINDOW_MS] = [20_000, 60_000];

/** What previews may take: each keeps something busy, and people ask for one after each change. */
export class PreviewSlots {
  readonly #slots: FairSemaphore;
  /** By store, the previews that ended in the last minute. */
  readonly #spent = new Map<string, { at: number; ms: number }[]>();

  /** `atOnce`: previews of this process at a time, one for each store. */
  constructor(atOnce: number) {
    this.#slots = new FairSemaphore({
      permits: atOnce,
      permitsPerStore: 1,
      timeoutMs: MAX_WAIT_MS,
      maxWaitingPerStore: MAX_WAITING,
      refusal: () => overloaded('Too many previews and estimates are being worked out; try again later'),
    });
  }

  /** Throws `rate_limit_exceeded` if the store has used up its share, `upstream_error` if others use all there is. */
  async use<Result>(storeId: string, work: () => Promise<Result>): Promise<Result> {
    const spent = this.#spentOf(storeId, performance.now());
    const [oldest] = spent;
    if (oldest && spent.reduce((sum, { ms }) => sum + ms, 0) >= BUDGET_MS) {
      const seconds = Math.ceil((oldest.at + WINDOW_MS - performance.now()) / 1_000);
      const message = 'The previews and estimates of the store have taken too long in the last minute; try again later';
      throw new ServiceError('rate_limit_exceeded', message, { retryAfter: Math.max(1, seconds) });
    }
    await this.#slots.acquire(storeId);
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#slots.release(storeId);
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
