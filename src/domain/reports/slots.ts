import { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { overloaded } from '../service-error.ts';

/** Reports of this process at a time. */
const MAX_AT_ONCE = 4;
/** How many reports of a store wait, and milliseconds for how long. */
const [MAX_WAITING, MAX_WAIT_MS] = [20, 2_000];

/** Milliseconds for which a report is answered from what was worked out, and how many are kept: in all, and of a store. */
const [KEPT_MS, MAX_KEPT, MAX_KEPT_OF_STORE] = [60_000, 500, 50];

interface Kept {
  storeId: string;
  report: unknown;
  at: number;
}

/** What reports may take: each can keep a connection and a core busy for seconds. */
export class ReportSlots {
  readonly #slots = new FairSemaphore({
    permits: MAX_AT_ONCE,
    permitsPerStore: 1,
    timeoutMs: MAX_WAIT_MS,
    maxWaitingPerStore: MAX_WAITING,
    refusal: () => overloaded('Too many reports are being worked out; try again later'),
  });
  /** By store and question, the oldest first. */
  readonly #kept = new Map<string, Kept>();

  /** Works a report out when it is the store's turn. Throws `upstream_error` if that takes too long. */
  use<Result>(storeId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#slots.run(storeId, work);
  }

  /**
   * The same for a question, the same one of which is answered for a minute from what was worked out: returns when that was, in
   * milliseconds, too.
   */
  async useOnce<Report>(
    storeId: string,
    question: unknown,
    work: () => Promise<Report>,
  ): Promise<{ report: Report; at: number }> {
    const key = JSON.stringify([storeId, question]);
    const kept = this.#fresh<Report>(key);
    if (kept) return kept;
    return await this.use(storeId, async () => {
      // Whoever had waited for may have asked the same.
      const meanwhile = this.#fresh<Report>(key);
      if (meanwhile) return meanwhile;
      const found = { report: await work(), at: Date.now() };
      this.#keep(key, { storeId, ...found });
      return found;
    });
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const own = [...this.#kept].filter(([, { storeId }]) => storeId === kept.storeId);
    for (const [oldest] of own.slice(0, -MAX_KEPT_OF_STORE)) this.#kept.delete(oldest);
    for (const [oldest, { at }] of this.#kept) {
      if (this.#kept.size <= MAX_KEPT && isFresh(at)) break;
      this.#kept.delete(oldest);
    }
  }

  #fresh<Report>(key: string): { report: Report; at: number } | undefined {
    const kept = this.#kept.get(key);
    return kept && isFresh(kept.at) ? (kept as { report: Report; at: number }) : undefined;
  }
}

const isFresh = (at: number) => Date.now() - at < KEPT_MS;
