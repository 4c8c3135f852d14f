/** Milliseconds before a store gets another turn after one that failed: at first, doubled with each failure, and at most. */
const PAUSE_MS = [500, 30_000] as const;
const STUCK_MS = 2_000;
/** All turns, those that are stuck among them, as a multiple of those that are not. */
const MOST_IN_ALL = 2;

export interface TurnResult {
  /** Whether something may be left to do. */
  isMore: boolean;
  hasFailed: boolean;
}

export interface TurnsOptions {
  /** Turns at the same time, not counting those that are stuck; `Infinity` if none is to wait for another. */
  concurrency: number;
  /** The number of servers that stores are on. */
  servers: () => number;
  /** Takes a turn of a store; must not reject. */
  take: (storeId: string) => Promise<TurnResult>;
  /** Whether one that is added during its turn gets no other for it, as it will be found again. */
  ignoresCurrent?: boolean;
  pauseMs?: readonly [first: number, longest: number];
  /** Milliseconds after which a turn is stuck: it waits for its server rather than works. */
  stuckMs?: number;
}

interface Turn {
  server: string;
  isStuck: boolean;
}

/**
 * Gives stores turns, or parts of stores that have their own, some at a time: one that has much to do waits behind the
 * others after each turn.
 *
 * Where there are several servers, one that hangs does not hold up the stores of others, however many do. A server has
 * half of the turns at most; stuck ones are given to others, and until a turn of the same server has succeeded, it gets
 * one at a time besides. With those that are stuck there are twice as many at most, but that each server may have one.
 */
export class StoreTurns {
  readonly #options: TurnsOptions;
  /** By store. */
  readonly #current = new Map<string, Turn>();
  /** Stores that wait for their turn, and their servers. */
  readonly #waiting = new Map<string, string>();
  /** Stores whose last turns failed: how often, and when the next may be. */
  readonly #failed = new Map<string, { times: number; until: number }>();
  /** Servers of which a turn was stuck, and none has succeeded since. */
  readonly #doubtful = new Set<string>();
  #isStopped = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Has stores of a server wait for their turns, unless one has failed just now. */
  add(storeIds: readonly string[], server: string): void {
    this.#forgetFailures();
    const { ignoresCurrent = false } = this.#options;
    for (const storeId of storeIds) {
      if (ignoresCurrent && this.#current.has(storeId)) continue;
      if ((this.#failed.get(storeId)?.until ?? 0) <= Date.now()) this.#waiting.set(storeId, server);
    }
    this.#begin();
  }

  /** Begins no more turns. */
  stop(): void {
    this.#isStopped = true;
    this.#waiting.clear();
  }

  #begin(): void {
    if (this.#isStopped) return;
    const full = new Set<string>();
    for (const [storeId, server] of this.#waiting) {
      if (full.has(server) || this.#current.has(storeId)) continue;
      if (this.#hasTurnFor(server)) {
        this.#waiting.delete(storeId);
        void this.#run(storeId, server);
      } else full.add(server);
    }
  }

  /** Of those that nobody has found for long: they have nothing left to do, or are deleted. */
  #forgetFailures(): void {
    const [, longest] = this.#options.pauseMs ?? PAUSE_MS;
    const since = Date.now() - longest;
    for (const [storeId, { until }] of this.#failed) {
      if (until < since && !this.#waiting.has(storeId) && !this.#current.has(storeId)) this.#failed.delete(storeId);
    }
  }

  #hasTurnFor(server: string): boolean {
    const { concurrency, servers } = this.#options;
    if (servers() <= 1 || concurrency === Number.POSITIVE_INFINITY) return this.#current.size < concurrency;
    const all = [...this.#current.values()];
    const own = all.filter((turn) => turn.server === server);
    const working = (turns: Turn[]) => turns.filter(({ isStuck }) => !isStuck).length;
    if (working(all) >= concurrency || own.length >= Math.max(1, Math.floor(concurrency / 2))) return false;
    if (own.length > 0 && all.length >= MOST_IN_ALL * concurrency) return false;
    return !this.#doubtful.has(server) || working(own) === 0;
  }

  async #run(storeId: string, server: string): Promise<void> {
    const turn: Turn = { server, isStuck: false };
    this.#current.set(storeId, turn);
    const timer = setTimeout(() => {
      turn.isStuck = true;
      this.#doubtful.add(server);
      this.#begin();
    }, this.#options.stuckMs ?? STUCK_MS).unref();
    const { isMore, hasFailed } = await this.#options.take(storeId);
    clearTimeout(timer);
    this.#current.delete(storeId);
    if (hasFailed) {
      const [first, longest] = this.#options.pauseMs ?? PAUSE_MS;
      const times = (this.#failed.get(storeId)?.times ?? 0) + 1;
      this.#failed.set(storeId, { times, until: Date.now() + Math.min(first * 2 ** (times - 1), longest) });
      this.#waiting.delete(storeId);
    } else {
      this.#failed.delete(storeId);
      this.#doubtful.delete(server);
      // At the end of the queue.
      if (isMore) this.#waiting.set(storeId, server);
    }
    this.#begin();
  }
}
