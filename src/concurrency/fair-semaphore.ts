import { ServiceError } from '../domain/service-error.ts';
import { RETRY_AFTER_OVERLOAD } from '../process/limits.ts';
import { Wait } from './shared-timeout.ts';

export interface TurnsOptions {
  /** What is worked on at the same time; and of it, for one store. */
  atATime: number;
  ofStore: number;
  /** Milliseconds that one may wait for its turn, and how many of a store may. */
  patienceMs: number;
  maxWaiting: number;
  /** Of the error where one would wait longer. */
  message: string;
  /** The error where no turn ended all the while, if that is another one. */
  stuck?: () => ServiceError;
}

/** What only so much can be done of at a time: a store has no more than its share of it, and those that wait are taken in turn. */
export class Turns {
  readonly #options: TurnsOptions;
  /** Those that wait, by store; the store whose turn is next comes first. */
  readonly #waiting = new Map<string, Turn[]>();
  /** How many each store has under way. */
  readonly #ofStores = new Map<string, number>();
  #underWay = 0;
  #lastEnd = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Takes a turn, which has to be ended, where one is free. */
  tryBegin(storeId: string): boolean {
    if (!this.#isFree(storeId)) return false;
    this.#underWay += 1;
    this.#ofStores.set(storeId, (this.#ofStores.get(storeId) ?? 0) + 1);
    return true;
  }

  /** The same, but waits for it. Throws `upstream_error` where it does not come in time. */
  async begin(storeId: string): Promise<void> {
    if (!this.tryBegin(storeId)) await this.#wait(storeId);
  }

  /** Does some work in a turn. */
  async take<Result>(storeId: string, work: () => Promise<Result>): Promise<Result> {
    await this.begin(storeId);
    try {
      return await work();
    } finally {
      this.end(storeId);
    }
  }

  end(storeId: string): void {
    const others = (this.#ofStores.get(storeId) as number) - 1;
    if (others > 0) this.#ofStores.set(storeId, others);
    else this.#ofStores.delete(storeId);
    this.#underWay -= 1;
    this.#lastEnd = performance.now();
    if (this.#waiting.size > 0) this.#next();
  }

  #isFree(storeId: string): boolean {
    const { atATime, ofStore } = this.#options;
    return this.#underWay < atATime && (this.#ofStores.get(storeId) ?? 0) < ofStore;
  }

  #wait(storeId: string): Promise<void> {
    const { patienceMs, maxWaiting, message, stuck } = this.#options;
    const refusal = () => new ServiceError('upstream_error', message, { retryAfter: RETRY_AFTER_OVERLOAD });
    const since = performance.now();
    const waiting = this.#waiting.get(storeId) ?? [];
    if (waiting.length >= maxWaiting) return Promise.reject(refusal());
    this.#waiting.set(storeId, waiting);
    return new Promise<void>((begin, reject) => {
      const turn = { begin, wait: new Wait(patienceMs, () => giveUp()) };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(turn), 1);
        if (waiting.length === 0 && this.#waiting.get(storeId) === waiting) this.#waiting.delete(storeId);
        reject(stuck && this.#lastEnd < since ? stuck() : refusal());
      };
      waiting.push(turn);
    });
  }

  /** Begins what may begin now. A store that has had its turn comes last. */
  #next(): void {
    for (const [storeId, waiting] of [...this.#waiting]) {
      if (!this.tryBegin(storeId)) continue;
      const turn = waiting.shift() as Turn;
      this.#waiting.delete(storeId);
      if (waiting.length > 0) this.#waiting.set(storeId, waiting);
      turn.wait.end();
      turn.begin();
    }
  }
}

interface Turn {
  wait: Wait;
  begin(): void;
}
