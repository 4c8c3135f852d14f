/** What a store that has worked off nothing gets back meanwhile, of each millisecond: a twentieth. */
const FORGIVEN = 0.05;
/** Stores that are known before those are forgotten that owe nothing any more. */
const MANY = 1_000;

/**
 * How much longer than their turns stores have had a thread. What one owes shortens its next turns, so that tasks that end a
 * little late cost others nothing; one whose tasks are so slow that it owes ever more is to have a thread apart.
 */
export class Overruns {
  readonly #turnMs: number;
  readonly #owed = new Map<string, { ms: number; at: number }>();

  constructor(turnMs: number) {
    this.#turnMs = turnMs;
  }

  /** Milliseconds of the next turn of a store; in each, one task at least is done. `now` is by `performance.now()`. */
  turnOf(storeId: string, now: number): number {
    return Math.max(0, this.#turnMs - this.#owedBy(storeId, now));
  }

  /** Notes how long a turn took, and returns how many milliseconds the store owes. */
  note(storeId: string, usedMs: number, now: number): number {
    const ms = Math.max(0, this.#owedBy(storeId, now) + usedMs - this.#turnMs);
    if (ms === 0) this.#owed.delete(storeId);
    else this.#owed.set(storeId, { ms, at: now });
    if (this.#owed.size > MANY)
      for (const id of this.#owed.keys()) if (this.#owedBy(id, now) === 0) this.#owed.delete(id);
    return ms;
  }

  forget(storeId: string): void {
    this.#owed.delete(storeId);
  }

  #owedBy(storeId: string, now: number): number {
    const owed = this.#owed.get(storeId);
    return owed ? Math.max(0, owed.ms - (now - owed.at) * FORGIVEN) : 0;
  }
}
