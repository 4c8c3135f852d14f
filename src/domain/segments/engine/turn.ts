import { sql } from 'kysely';
import { isStatementError } from '../../../db/driver-errors.ts';
import type { Sql } from '../../../db/sql.ts';
import { OutOfTime } from '../evaluate.ts';
import { BatchSize, RangeSize } from './batch-size.ts';
import { buildRange } from './build.ts';
import { rebuildExpired } from './find-expired.ts';
import { isResting, Pace, rest } from './pace.ts';
import { MAX_PROFILES, takePostponed } from './postponed.ts';
import { ensurePlace, MAX_ITEMS, readChanges } from './read-changes.ts';
import { sweep } from './sweep.ts';
import { takeDue } from './take-due.ts';
import type { SegmentTools } from './tools.ts';

/** Milliseconds after which a store's turn ends, once its transaction in progress is done. */
const TURN_MS = 500;

/** Does what the segments of stores have to do, in turns. */
export class SegmentTurns {
  readonly #tools: Omit<SegmentTools, 'now'>;
  /** By store, how many customers to build and to look at again at a time, how many changes to read, and how fast. */
  readonly #ranges = new Map<string, RangeSize>();
  readonly #batches = new Map<string, BatchSize>();
  readonly #items = new Map<string, number>();
  readonly #paces = new Map<string, Pace>();

  constructor(tools: Omit<SegmentTools, 'now'>) {
    this.#tools = tools;
  }

  /** Returns whether something may be left to do for the store. */
  async take(db: Sql, storeId: string): Promise<boolean> {
    if (await isResting(db, storeId)) return false;
    const start = performance.now();
    const end = start + TURN_MS;
    const isOver = () => performance.now() > end;
    const repeat: Repeat = async (work) => {
      let isMore = await work();
      while (isMore && !isOver()) isMore = await work();
      return isMore;
    };
    const tools = { ...this.#tools, now: await databaseClock(db) };
    await ensurePlace(db, storeId, tools);
    // Changes first: what is built, however large, waits for them and not they for it.
    const isBehind = await repeat(() => this.#read(db, storeId, tools));
    const isDue = await repeat(() => takeDue(db, storeId, tools));
    const isPostponed = await this.#takePostponed(db, storeId, tools, repeat);
    const hasExpired = await rebuildExpired(db, storeId, tools.now());
    const isBuilding = await this.#build(db, storeId, tools);
    const isLeft = isOver() ? true : await sweep(db, storeId);
    const ms = await this.#restAfter(performance.now() - start, db, storeId, isBehind);
    if (ms > 0) await rest(db, storeId, ms);
    return ms === 0 && (isBehind || isDue || isPostponed || hasExpired || isBuilding || isLeft);
  }

  /** After a failure reads fewer changes at a time. */
  async #read(db: Sql, storeId: string, tools: SegmentTools): Promise<boolean> {
    const items = this.#items.get(storeId);
    try {
      const start = performance.now();
      const read = await readChanges(db, storeId, tools, items);
      this.#items.delete(storeId);
      const pace = this.#paces.get(storeId) ?? new Pace();
      pace.note(read, (performance.now() - start) / 1000);
      this.#paces.set(storeId, pace);
      return read.progress === 'more';
    } catch (error) {
      if (isStatementError(error)) this.#items.set(storeId, Math.max(1, Math.floor((items ?? MAX_ITEMS) / 4)));
      throw error;
    }
  }

  async #restAfter(ms: number, db: Sql, storeId: string, isBehind: boolean): Promise<number> {
    const pace = this.#paces.get(storeId);
    if (isBehind) return (await pace?.restAfter(ms, db, storeId)) ?? 0;
    this.#paces.delete(storeId);
    return 0;
  }

  async #takePostponed(db: Sql, storeId: string, tools: SegmentTools, repeat: Repeat): Promise<boolean> {
    const batch = this.#batches.get(storeId) ?? new BatchSize(MAX_PROFILES);
    this.#batches.set(storeId, batch);
    const isMore = await repeat(() => takePostponed(db, storeId, tools, batch));
    if (!isMore) this.#batches.delete(storeId);
    return isMore;
  }

  /** One range at least in each turn, and so large a one that the next changes do not wait for long. */
  async #build(db: Sql, storeId: string, tools: SegmentTools): Promise<boolean> {
    const range = this.#ranges.get(storeId) ?? new RangeSize();
    this.#ranges.set(storeId, range);
    const start = performance.now();
    try {
      const built = await buildRange(db, storeId, tools, range.size);
      if (!built?.isMore) this.#ranges.delete(storeId);
      else if (built.customers > 0) range.note(built.customers, performance.now() - start);
      return built?.isMore ?? false;
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      range.narrow(error.customers);
      return true;
    }
  }
}

/** Does something again and again until it says that there is no more, or the turn is over. */
type Repeat = (work: () => Promise<boolean>) => Promise<boolean>;

/**
 * Returns a clock that shows the time of the database in milliseconds, a little late rather than early: by it members are said
 * to be up to date, and by one clock nobody is moved to and fro by processes whose own differ.
 */
export async function databaseClock(db: Sql): Promise<() => number> {
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(db);
  const ahead = (rows[0]?.now ?? 0) - performance.now();
  return () => Math.floor(performance.now() + ahead);
}
