import { RETRY_AFTER_OVERLOAD } from '../bounds.ts';
import { ServiceError } from '../domain/errors.ts';
import { Wait } from '../wait.ts';

/** Large requests that a process works on at the same time. */
export const MAX_AT_A_TIME = 3;
/** Milliseconds that one may wait for its turn. */
const PATIENCE_MS = 2_500;

/**
 * Large requests of a store are worked on one at a time, and those of all stores in turn. More of them would be no
 * faster, fill the memory with their objects, and hold up what others ask for.
 */
export class Turns {
  /** Those that wait, by store; the store whose turn is next comes first. */
  readonly #waiting = new Map<string, Turn[]>();
  /** Stores that have one under way. */
  readonly #busy = new Set<string>();

  /** Waits for a turn, which has to be ended. Throws `upstream_error` where it does not come in time. */
  async begin(storeId: string): Promise<void> {
    if (this.#isFree(storeId)) this.#busy.add(storeId);
    else await this.#wait(storeId);
  }

  end(storeId: string): void {
    this.#busy.delete(storeId);
    this.#next();
  }

  #isFree(storeId: string): boolean {
    return this.#busy.size < MAX_AT_A_TIME && !this.#busy.has(storeId);
  }

  #wait(storeId: string): Promise<void> {
    const waiting = this.#waiting.get(storeId) ?? [];
    this.#waiting.set(storeId, waiting);
    return new Promise<void>((begin, reject) => {
      const turn = { begin, wait: new Wait(PATIENCE_MS, () => giveUp()) };
      const giveUp = () => {
        waiting.splice(waiting.indexOf(turn), 1);
        if (waiting.length === 0 && this.#waiting.get(storeId) === waiting) this.#waiting.delete(storeId);
        reject(
          new ServiceError('upstream_error', 'Too many large requests are under way; try again later', {
            retryAfter: RETRY_AFTER_OVERLOAD,
          }),
        );
      };
      waiting.push(turn);
    });
  }

  /** Begins what may begin now. A store that has had its turn comes last. */
  #next(): void {
    for (const [storeId, waiting] of [...this.#waiting]) {
      if (!this.#isFree(storeId)) continue;
      const turn = waiting.shift() as Turn;
      this.#waiting.delete(storeId);
      if (waiting.length > 0) this.#waiting.set(storeId, waiting);
      this.#busy.add(storeId);
      turn.wait.end();
      turn.begin();
    }
  }
}

interface Turn {
  wait: Wait;
  begin(): void;
}
