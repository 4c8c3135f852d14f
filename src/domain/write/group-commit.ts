import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { isBadData } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/orm.ts';
import type { StoreData } from '../../db/store-data.ts';
import { DATABASE_WAITS, scaleTimes } from '../../process/database-patience.ts';
import { ServiceError } from '../service-error.ts';
import type { Draft, Outcome, Recorded } from './draft.ts';
import { recordInTransaction, recordWithoutTransaction } from './record-batch.ts';
import { retryConflicts } from './retry-conflicts.ts';
import { recordInOneStatement } from './single-statement.ts';

/** Maximum drafts in one batch. Larger batches gain nothing and make every request in them wait longer. */
const MAX_BATCH = 256;

/**
 * Where a batch comes from: `group` is single requests that share a transaction, `bulk` one request, and `import` a
 * chunk of a bulk job.
 */
export type BatchSource = 'group' | 'bulk' | 'import';

/** Called after each batch with its number of events or profiles and its duration in seconds. */
export type BatchObserver = (source: BatchSource, items: number, seconds: number) => void;

interface Waiting {
  draft: Draft;
  since: number;
  resolve(outcome: Recorded): void;
  reject(error: unknown): void;
}

export interface GroupCommitOptions {
  /** Called after each batch. */
  observe?: BatchObserver;
  /** What batches go through where several stores share the pool. */
  connections?: FairSemaphore;
  /** Seconds that a request may wait for the database, if not the default. */
  timeout?: number;
}

/** Records drafts durably: they are committed when its promises resolve. */
export class GroupCommit {
  readonly #stores: StoreData;
  readonly #observe: BatchObserver;
  readonly #connections: FairSemaphore | undefined;
  readonly #patienceMs: number;
  /** By store; never removed. */
  readonly #batchers = new Map<string, Batcher<Waiting>>();

  constructor(stores: StoreData, { observe = () => {}, connections, timeout }: GroupCommitOptions = {}) {
    this.#stores = stores;
    this.#observe = observe;
    this.#connections = connections;
    this.#patienceMs = scaleTimes(DATABASE_WAITS, timeout).batch;
  }

  /** Drafts waiting for their batch. */
  get waiting(): number {
    return [...this.#batchers.values()].reduce((sum, batcher) => sum + batcher.length, 0);
  }

  /** Milliseconds that the oldest of them has waited. */
  get lag(): number {
    const now = performance.now();
    return Math.max(0, ...[...this.#batchers.values()].map(({ since = now }) => now - since));
  }

  /**
   * Records one draft, in one transaction with those of the same store that arrive while an earlier one is in progress
   * or in the moment after it (group commit): under load many requests share the cost of a commit.
   */
  async record(storeId: string, draft: Draft): Promise<Recorded> {
    return new Promise((resolve, reject) => {
      const entry = { draft, since: performance.now(), resolve, reject };
      const batcher =
        this.#batchers.get(storeId) ?? new Batcher(MAX_BATCH, (batch) => this.#writeBatch(storeId, batch));
      this.#batchers.set(storeId, batcher);
      batcher.add(entry);
    });
  }

  /**
   * Records drafts in a transaction of their own: all of them, or none if it throws. Refused drafts are among the
   * outcomes; with `isAllOrNothing`, they have nothing recorded.
   */
  async recordAll(
    storeId: string,
    drafts: readonly Draft[],
    source: 'bulk' | 'group' = 'bulk',
    options: { isAllOrNothing?: boolean } = {},
  ): Promise<Outcome[]> {
    if (this.#connections?.tryAcquire(storeId) === false) await this.#connections.acquire(storeId);
    try {
      const start = performance.now();
      const outcomes = await commitBatch(this.#stores.of(storeId), storeId, drafts, options);
      this.#observe(source, drafts.length, (performance.now() - start) / 1000);
      return outcomes;
    } finally {
      this.#connections?.release(storeId);
    }
  }

  async #writeBatch(storeId: string, batch: Waiting[]): Promise<void> {
    const deadline = performance.now() - this.#patienceMs;
    for (const { reject } of batch.filter(({ since }) => since < deadline)) {
      reject(new ServiceError('database_error', 'The database did not respond in time; try again'));
    }
    await this.#commitOrSplit(
      storeId,
      batch.filter(({ since }) => since >= deadline),
    );
  }

  async #commitOrSplit(storeId: string, batch: Waiting[]): Promise<void> {
    if (batch.length === 0) return;
    try {
      const outcomes = await this.recordAll(
        storeId,
        batch.map(({ draft }) => draft),
        'group',
      );
      batch.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i] as Outcome;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    } catch (error) {
      // No request may fail because of another's data. Any other error would hit the halves as well; and if the
      // connection broke, the commit may have happened, so that a retry could record twice.
      if (batch.length > 1 && isBadData(error)) {
        const half = batch.length >> 1;
        await this.#commitOrSplit(storeId, batch.slice(0, half));
        await this.#commitOrSplit(storeId, batch.slice(half));
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}

/** Maximum milliseconds after a batch that the next one waits for more items. */
const LINGER_MS = 4;
/** Milliseconds after which waiting items no longer wait for the batch in flight. */
const PATIENCE_MS = 50;
/** A batch that waits for locks must not hold up items unrelated to it. */
const MAX_IN_FLIGHT = 2;

/**
 * Collects the items to write for one store and decides when the next batch begins. A small batch costs nearly as much
 * as a large one, so under load it pays to wait a moment: clients whose requests were just served send their next ones,
 * and a batch gets nearly all of them. Nothing waits after a pause or if it is alone.
 */
export class Batcher<Item extends { since: number }> {
  readonly #maxBatch: number;
  readonly #write: (batch: Item[]) => Promise<void>;
  readonly #waiting: Item[] = [];
  #inFlight = 0;
  /** Items to expect in the next batch: as many as the last one had, and those that arrived meanwhile. */
  #expected = 0;
  #lingerUntil = 0;
  /** Ends the wait for more items. */
  #endLinger: (() => void) | undefined;
  #parallelTimer: NodeJS.Timeout | undefined;

  /** `write` must not reject. */
  constructor(maxBatch: number, write: (batch: Item[]) => Promise<void>) {
    this.#maxBatch = maxBatch;
    this.#write = write;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** When the oldest item was added, by `performance.now()`. */
  get since(): number | undefined {
    return this.#waiting[0]?.since;
  }

  /** Adds an item, whose `since` must be now. */
  add(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length >= this.#expected) this.#endLinger?.();
    if (this.#inFlight === 0) void this.#run();
    else this.#scheduleParallelBatch();
  }

  async #run(): Promise<void> {
    this.#inFlight += 1;
    // Let requests that arrived together join the first batch.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      await this.#linger();
      // Another batch may have taken all of it meanwhile.
      if (this.#waiting.length === 0) break;
      const batch = this.#waiting.splice(0, this.#maxBatch);
      await this.#write(batch);
      this.#expected = Math.min(batch.length + this.#waiting.length, this.#maxBatch);
      this.#lingerUntil = performance.now() + LINGER_MS;
    }
    this.#inFlight -= 1;
  }

  /** Waits briefly until the expected number of items has arrived. */
  async #linger(): Promise<void> {
    const ms = this.#lingerUntil - performance.now();
    if (ms <= 0 || this.#waiting.length >= this.#expected) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#endLinger = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#endLinger = undefined;
  }

  /** Begins a batch beside the one in flight once an item has waited too long. */
  #scheduleParallelBatch(): void {
    if (this.#parallelTimer || this.since === undefined || this.#inFlight === MAX_IN_FLIGHT) return;
    const ms = Math.max(0, this.since + PATIENCE_MS - performance.now());
    this.#parallelTimer = setTimeout(() => {
      this.#parallelTimer = undefined;
      if (this.since === undefined || this.#inFlight === MAX_IN_FLIGHT) return;
      if (performance.now() - this.since >= PATIENCE_MS) void this.#run();
      else this.#scheduleParallelBatch();
    }, ms);
  }
}

/**
 * Records drafts of one store, in order, and commits them: all, or none if it throws. Takes the first of three ways that
 * the drafts allow, the one with the fewest round trips: a single statement for new events of customers who are named by
 * one identifier each; a few statements without a transaction if no existing profile changes; a transaction.
 */
function commitBatch(
  db: Sql,
  storeId: string,
  drafts: readonly Draft[],
  options: { isAllOrNothing?: boolean },
): Promise<Outcome[]> {
  return retryConflicts(
    db,
    async () =>
      (await recordInOneStatement(db, storeId, drafts)) ??
      (await recordWithoutTransaction(db, storeId, drafts, options)) ??
      (await db
        .transaction()
        .execute((tx) => recordInTransaction(tx, storeId, drafts, { ...options, returnProfiles: true }))),
  );
}
