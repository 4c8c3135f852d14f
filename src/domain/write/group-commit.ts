import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { isBadData } from '../../db/driver-errors.ts';
import type { StoreData } from '../../db/store-data.ts';
import { DATABASE_WAITS, scaleTimes } from '../../process/database-patience.ts';
import { ServiceError } from '../service-error.ts';
import type { BatchObserver } from './batch-observer.ts';
import { Batcher } from './batcher.ts';
import { commitBatch } from './commit-batch.ts';
import type { Draft, Outcome, Recorded } from './draft.ts';

/** Maximum drafts in one batch. Larger batches gain nothing and make every request in them wait longer. */
const MAX_BATCH = 256;

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
   * outcomes.
   */
  async recordAll(storeId: string, drafts: readonly Draft[], source: 'bulk' | 'group' = 'bulk'): Promise<Outcome[]> {
    if (this.#connections?.tryAcquire(storeId) === false) await this.#connections.acquire(storeId);
    try {
      const start = performance.now();
      const outcomes = await commitBatch(this.#stores.of(storeId), storeId, drafts);
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
