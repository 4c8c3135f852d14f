/** Events a second that automations of one store may emit in one process. */
const PER_SECOND = 500;
/** Milliseconds that a store may be ahead of that: many customers may come to a step at the same time. */
const AHEAD_MS = 10_000;

/** Stores that are remembered before those are forgotten that are not ahead. */
const MAX_STORES = 1_000;

/** Spreads the events that a store's automations emit, where there are many: none is lost. */
export class EmissionPace {
  /** When all that was emitted would have been at that rate, by store. */
  readonly #until = new Map<string, number>();

  /** Returns when so many events may be emitted, in milliseconds: `now`, or later. Their time is kept for them. */
  reserve(storeId: string, events: number, now: number): number {
    const begin = Math.max(now, this.#until.get(storeId) ?? 0);
    this.#until.set(storeId, begin + (events / PER_SECOND) * 1_000);
    if (this.#until.size > MAX_STORES) this.#forget(now);
    return Math.max(now, Math.floor(begin - AHEAD_MS));
  }

  #forget(now: number): void {
    for (const [storeId, until] of this.#until) if (until <= now) this.#until.delete(storeId);
  }
}
