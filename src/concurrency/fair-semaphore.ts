import { SharedTimeout } from './shared-timeout.ts';

export interface FairSemaphoreOptions {
  /** Permits for all stores together; for those of each group, if there are groups. */
  permits: number;
  /** Permits for all groups together, if there are fewer than for each of them. */
  total?: number;
  /** Stores that use the same resource. A store may change its group while it holds no permit. */
  groupOf?: (storeId: string) => string;
  permitsPerStore: number;
  /** Maximum milliseconds that a caller waits for a permit. */
  timeoutMs: number;
  maxWaitingPerStore: number;
  /** Waiters of all stores together; as many as there are without it. */
  maxWaiting?: number;
  /** Creates the error for a caller that waits longer, or would be one waiter too many. */
  refusal: () => Error;
  /** Creates the error for a caller that timed out while no permit was released; by default that of `refusal`. */
  stuck?: () => Error;
}

/** A semaphore shared by stores: each holds at most its share of the permits, and waiting stores are served in turn. */
export class FairSemaphore {
  readonly #options: FairSemaphoreOptions;
  /** By store; the store to be served next comes first. */
  readonly #waiters = new Map<string, Waiter[]>();
  readonly #heldByStore = new Map<string, number>();
  readonly #heldByGroup = new Map<string, number>();
  #held = 0;
  #waiting = 0;
  /** The groups of the stores that hold a permit. */
  readonly #groups = new Map<string, string>();
  #lastRelease = 0;

  constructor(options: FairSemaphoreOptions) {
    this.#options = options;
  }

  /** Takes a permit if one is free; the caller must release it. */
  tryAcquire(storeId: string): boolean {
    if (!this.#hasFreePermit(storeId)) return false;
    const group = this.#groupOf(storeId);
    this.#groups.set(storeId, group);
    this.#heldByGroup.set(group, this.#heldIn(group) + 1);
    this.#held += 1;
    this.#heldByStore.set(storeId, (this.#heldByStore.get(storeId) ?? 0) + 1);
    return true;
  }

  /** Waits for a permit, which the caller must release. Throws `refusal` or `stuck` if none is free in time. */
  async acquire(storeId: string): Promise<void> {
    if (!this.tryAcquire(storeId)) await this.#waitForPermit(storeId);
  }

  /** Runs some work while holding a permit. */
  async run<Result>(storeId: string, work: () => Promise<Result>): Promise<Result> {
    await this.acquire(storeId);
    try {
      return await work();
    } finally {
      this.release(storeId);
    }
  }

  release(storeId: string): void {
    const others = (this.#heldByStore.get(storeId) as number) - 1;
    const group = this.#groupOf(storeId);
    if (others > 0) this.#heldByStore.set(storeId, others);
    else {
      this.#heldByStore.delete(storeId);
      this.#groups.delete(storeId);
    }
    this.#heldByGroup.set(group, this.#heldIn(group) - 1);
    this.#held -= 1;
    this.#lastRelease = performance.now();
    if (this.#waiters.size > 0) this.#wakeWaiters();
  }

  #hasFreePermit(storeId: string): boolean {
    const { permits, permitsPerStore, total = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#held >= total || (this.#heldByStore.get(storeId) ?? 0) >= permitsPerStore) return false;
    return this.#heldIn(this.#groupOf(storeId)) < permits;
  }

  #groupOf(storeId: string): string {
    return this.#groups.get(storeId) ?? this.#options.groupOf?.(storeId) ?? '';
  }

  #heldIn(group: string): number {
    return this.#heldByGroup.get(group) ?? 0;
  }

  #waitForPermit(storeId: string): Promise<void> {
    const { timeoutMs, maxWaitingPerStore, maxWaiting = Number.POSITIVE_INFINITY, refusal, stuck } = this.#options;
    const since = performance.now();
    const waiters = this.#waiters.get(storeId) ?? [];
    if (waiters.length >= maxWaitingPerStore || this.#waiting >= maxWaiting) return Promise.reject(refusal());
    this.#waiters.set(storeId, waiters);
    return new Promise<void>((wake, reject) => {
      const waiter = { wake, timeout: new SharedTimeout(timeoutMs, () => giveUp()) };
      const giveUp = () => {
        waiters.splice(waiters.indexOf(waiter), 1);
        this.#waiting -= 1;
        if (waiters.length === 0 && this.#waiters.get(storeId) === waiters) this.#waiters.delete(storeId);
        reject(stuck && this.#lastRelease < since ? stuck() : refusal());
      };
      waiters.push(waiter);
      this.#waiting += 1;
    });
  }

  /** Hands out the free permits. A store that was served goes to the end of the queue. */
  #wakeWaiters(): void {
    for (const [storeId, waiters] of [...this.#waiters]) {
      if (!this.tryAcquire(storeId)) continue;
      const waiter = waiters.shift() as Waiter;
      this.#waiting -= 1;
      this.#waiters.delete(storeId);
      if (waiters.length > 0) this.#waiters.set(storeId, waiters);
      waiter.timeout.cancel();
      waiter.wake();
    }
  }
}

interface Waiter {
  timeout: SharedTimeout;
  wake(): void;
}
