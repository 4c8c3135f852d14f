import type { Sql } from '../../../db/sql.ts';
import { fillDates } from './fill-dates.ts';
import { readChanges } from './read-changes.ts';
import { takeDueDates } from './take-due-dates.ts';
import { takeDueRuns } from './take-due-runs.ts';
import type { EngineTools } from './tools.ts';

/** Milliseconds after which a store's turn ends, once its transactions in progress are done. */
const TURN_MS = 500;

/** Items of one transaction, at first; after a failure fewer, as one that is too large would fail for ever. */
const MOST = { changes: 1_000, runs: 200 };

/** Does what the automations of stores have to do, in turns. */
export class Turns {
  readonly #tools: EngineTools;
  readonly #limits = new Map<string, typeof MOST>();

  constructor(tools: EngineTools) {
    this.#tools = tools;
  }

  /** Returns whether something may be left to do for the store. */
  async take(db: Sql, storeId: string): Promise<boolean> {
    const end = performance.now() + TURN_MS;
    for (;;) {
      const isMore = await this.#goOn(db, storeId);
      if (!isMore || performance.now() > end) return isMore;
    }
  }

  /** Changes and runs at the same time: while the database works on one, this thread works on the other. */
  async #goOn(db: Sql, storeId: string): Promise<boolean> {
    const limits = this.#limits.get(storeId) ?? MOST;
    const all = await Promise.allSettled([
      readChanges(db, storeId, this.#tools, limits.changes),
      takeDueRuns(db, storeId, this.#tools, limits.runs).then((taken) => taken === limits.runs),
      takeDueDates(db, storeId, this.#tools),
      fillDates(db, storeId, this.#tools),
    ]);
    const failed = all.find((one) => one.status === 'rejected');
    if (failed) {
      const reduce = (limit: number) => Math.max(1, Math.floor(limit / 4));
      this.#limits.set(storeId, { changes: reduce(limits.changes), runs: reduce(limits.runs) });
      throw failed.reason;
    }
    this.#limits.delete(storeId);
    return all.some((one) => one.status === 'fulfilled' && one.value);
  }
}
