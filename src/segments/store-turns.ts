/** Milliseconds before a store gets another turn after one that failed; doubles with each failure. */
const [PAUSE_MS, MAX_PAUSE_MS] = [500, 30_000];

export interface TurnResult {
  /** Whether something may be left to do. */
  isMore: boolean;
  hasFailed: boolean;
}

/** Gives stores turns, some at a time: one that has much to do waits behind the others after each turn. */
export class StoreTurns {
  readonly #concurrency: number;
  readonly #take: (storeId: string) => Promise<TurnResult>;
  readonly #current = new Set<string>();
  readonly #waiting = new Set<string>();
  /** Stores whose last turns failed: how often, and when the next may be. */
  readonly #failed = new Map<string, { times: number; until: number }>();
  #isStopped = false;

  /** `take` must not reject. */
  constructor(concurrency: number, take: (storeId: string) => Promise<TurnResult>) {
    this.#concurrency = concurrency;
    this.#take = take;
  }

  add(storeIds: readonly string[]): void {
    for (const storeId of storeIds) {
      if ((this.#failed.get(storeId)?.until ?? 0) <= Date.now()) this.#waiting.add(storeId);
    }
    this.#begin();
  }

  stop(): void {
    this.#isStopped = true;
    this.#waiting.clear();
  }

  #begin(): void {
    for (const storeId of this.#waiting) {
      if (this.#isStopped || this.#current.size >= this.#concurrency) return;
      if (this.#current.has(storeId)) continue;
      this.#waiting.delete(storeId);
      this.#current.add(storeId);
      void this.#run(storeId);
    }
  }

  async #run(storeId: string): Promise<void> {
    const { isMore, hasFailed } = await this.#take(storeId);
    this.#current.delete(storeId);
    if (hasFailed) {
      const times = (this.#failed.get(storeId)?.times ?? 0) + 1;
      this.#failed.set(storeId, { times, until: Date.now() + Math.min(PAUSE_MS * 2 ** (times - 1), MAX_PAUSE_MS) });
    } else {
      this.#failed.delete(storeId);
      // At the end of the queue.
      if (isMore) this.#waiting.add(storeId);
    }
    this.#begin();
  }
}
