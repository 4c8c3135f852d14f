import type { Sql } from '../../../db/sql.ts';
import { fillAudiences } from './audiences/fill.ts';
import { fillDates } from './fill-dates.ts';
import { fillMembers } from './fill-members.ts';
import { MAX_CHANGES, readChanges } from './read-changes.ts';
import { takeDueDates } from './take-due-dates.ts';
import { takeDueRuns } from './take-due-runs.ts';
import { takeSchedules } from './take-schedules.ts';
import type { EngineTools } from './tools.ts';

/** Milliseconds after which a store's turn ends, once its transactions in progress are done. */
const TURN_MS = 500;

/** Items of one transaction, at first; after a failure fewer, as one that is too large would fail for ever. */
const MOST = { changes: MAX_CHANGES, runs: 200 };
/** By how much that changes from turn to turn. */
const STEP = 4;

/** Does what the automations of stores have to do, in turns. */
export class Turns {
  readonly #tools: EngineTools;
  readonly #limits = new Map<string, typeof MOST>();

  constructor(tools: EngineTools) {
    this.#tools = tools;
  }

  /** Returns whether something may be left to do for the store. */
  async take(db: Sql, storeId: string): Promise<boolean> {
    const limits = this.#limits.get(storeId) ?? MOST;
    const turn = new Turn(performance.now() + TURN_MS, limits, { db, storeId, tools: this.#tools });
    // At the same time: while the database works on one, this thread works on the other.
    const all = await Promise.allSettled([
      turn.read(),
      turn.takeRuns(),
      turn.repeat(takeDueDates),
      turn.fill(),
      turn.repeat(takeSchedules),
    ]);
    const failed = all.find((one) => one.status === 'rejected');
    this.#scaleLimits(storeId, limits, failed ? 1 / STEP : STEP);
    if (failed) throw failed.reason;
    return all.some((one) => one.status === 'fulfilled' && one.value);
  }

  /** Back up step by step: what was too large is followed by more of the kind. */
  #scaleLimits(storeId: string, { changes, runs }: typeof MOST, factor: number): void {
    const scale = (limit: number, most: number) => Math.min(most, Math.max(1, Math.floor(limit * factor)));
    const scaled = { changes: scale(changes, MOST.changes), runs: scale(runs, MOST.runs) };
    if (scaled.changes === MOST.changes && scaled.runs === MOST.runs) this.#limits.delete(storeId);
    else this.#limits.set(storeId, scaled);
  }
}

/** What goes through customers: those who were there when a version was published, and those of items that have changed. */
const FILLS = [fillDates, fillMembers, fillAudiences] as const;

interface Place {
  db: Sql;
  storeId: string;
  tools: EngineTools;
}

/** One turn of a store. Each kind of work goes on until nothing is left of it or the turn ends, and says which. */
class Turn {
  readonly #end: number;
  readonly #limits: typeof MOST;
  readonly #place: Place;
  /** The batch of changes in progress. */
  #reading: Promise<unknown> | undefined;

  constructor(end: number, limits: typeof MOST, place: Place) {
    this.#end = end;
    this.#limits = limits;
    this.#place = place;
  }

  async repeat(work: (db: Sql, storeId: string, tools: EngineTools) => Promise<boolean>): Promise<boolean> {
    const { db, storeId, tools } = this.#place;
    let isMore = await work(db, storeId, tools);
    while (isMore && !this.#isOver) isMore = await work(db, storeId, tools);
    return isMore;
  }

  /** One after the other: as many items as there are may have changed, and nobody's dates wait for them. */
  async fill(): Promise<boolean> {
    const left: (typeof FILLS)[number][] = [...FILLS];
    return await this.repeat(async (db, storeId, tools) => {
      const next = left.shift();
      if (next && (await next(db, storeId, tools))) left.push(next);
      return left.length > 0;
    });
  }

  async read(): Promise<boolean> {
    try {
      return await this.repeat(async (db, storeId, tools) => {
        const reading = readChanges(db, storeId, tools, this.#limits.changes);
        this.#reading = reading;
        // What comes meanwhile is for the next turn: batches of a few events each would cost far more.
        return (await reading) === 'more';
      });
    } finally {
      this.#reading = undefined;
    }
  }

  async takeRuns(): Promise<boolean> {
    const { db, storeId, tools } = this.#place;
    for (;;) {
      const reading = this.#reading;
      const isMore = (await takeDueRuns(db, storeId, tools, this.#limits.runs)) === this.#limits.runs;
      if (this.#isOver) return isMore || reading !== undefined;
      if (isMore) continue;
      if (!reading) return false;
      // It starts runs, which are due at once.
      await reading.catch(() => {});
    }
  }

  get #isOver(): boolean {
    return performance.now() > this.#end;
  }
}
