import type { Address, Database, Sql } from '../db/orm.ts';
import {
  type Attempt,
  beginAttempt,
  postponeAfterFailure,
  requeueStore,
  uncountAttempt,
} from '../domain/imports/bulk/attempts.ts';
import type { BatchObserver } from '../domain/write/batch-observer.ts';
import type { Log } from '../process/log.ts';
import { type Thread, ThreadEnded } from '../threads/thread.ts';

/** Milliseconds after which a store's turn ends, once its chunk in progress is done. */
const TURN_MS = 500;

/** What the thread for bulk jobs needs. */
export interface BulkJobsSetup {
  address: Address;
  /** Maximum concurrent attempts. */
  concurrency: number;
}

/** What came of an attempt. */
export interface Attempted {
  /** Items that were settled; 0 if nothing was left to do. */
  items: number;
  seconds: number;
  /** Why it failed; `outage` is not the job's fault. */
  failure: 'outage' | 'job' | undefined;
}

export interface BulkJobTurnsOptions {
  database: Database;
  thread: Pick<Thread<BulkJobsSetup, Attempt, Attempted>, 'ask'>;
  log: Log;
  observe: BatchObserver;
}

/** Processes bulk jobs in turns: each store has some chunks processed, then goes to the end of the queue. */
export class BulkJobTurns {
  readonly #options: BulkJobTurnsOptions;
  /** Stores being processed; true if the store was queued again meanwhile, perhaps with a new job. */
  readonly #current = new Map<string, boolean>();
  /** Interrupted attempts that could not be uncounted in the database yet. */
  readonly #toUncount = new Map<string, Attempt>();
  #isStopping = false;

  constructor(options: BulkJobTurnsOptions) {
    this.#options = options;
  }

  /** Ends the turns after their chunk in progress. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Processes chunks of a store. Rejects if the database fails. */
  async processChunksOf(storeId: string): Promise<void> {
    if (this.#current.has(storeId)) {
      this.#current.set(storeId, true);
      return;
    }
    this.#current.set(storeId, false);
    let isLeft = false;
    try {
      isLeft = await this.#processChunks(storeId);
    } finally {
      const again = this.#current.get(storeId);
      this.#current.delete(storeId);
      if (isLeft || again) await requeueStore(this.#options.database, storeId);
    }
  }

  /** Returns whether anything may be left to do. */
  async #processChunks(storeId: string): Promise<boolean> {
    const sql = this.#of(storeId);
    for (const attempt of this.#toUncount.values()) {
      await uncountAttempt(this.#of(attempt.storeId), attempt);
      this.#toUncount.delete(attempt.jobId);
    }
    const end = performance.now() + TURN_MS;
    while (!this.#isStopping && performance.now() < end) {
      const attempt = await beginAttempt(sql, storeId);
      if (!attempt) return false;
      await this.#makeAttempt(attempt);
    }
    return true;
  }

  async #makeAttempt(attempt: Attempt): Promise<void> {
    const { thread, log, observe } = this.#options;
    const sql = this.#of(attempt.storeId);
    try {
      const { items, seconds, failure } = await thread.ask(attempt);
      if (items > 0) observe('import', items, seconds);
      if (failure === 'outage') await this.#uncountAttempt(attempt);
      else if (failure) await postponeAfterFailure(sql, attempt);
    } catch (err) {
      log.warn({ err, job_id: attempt.jobId, attempt: attempt.number }, 'import interrupted');
      if (this.#isStopping || !(err instanceof ThreadEnded)) await this.#uncountAttempt(attempt);
      else await postponeAfterFailure(sql, attempt);
    }
  }

  async #uncountAttempt(attempt: Attempt): Promise<void> {
    this.#toUncount.set(attempt.jobId, attempt);
    await uncountAttempt(this.#of(attempt.storeId), attempt);
    this.#toUncount.delete(attempt.jobId);
  }

  #of(storeId: string): Sql {
    return this.#options.database.stores.of(storeId);
  }
}
