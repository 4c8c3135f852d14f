import { isOutage } from '../../db/driver-errors.ts';
import type { Sql } from '../../db/orm.ts';
import type { Log } from '../../process/log.ts';
import { type Attempt, beginAttempt, postponeAfterFailure, uncountAttempt } from './attempts.ts';
import { processNextChunk } from './bulk/process-chunk.ts';
import { processImport } from './files/process-import.ts';

/** Milliseconds after which a store's turn ends, once its chunk in progress is done. */
const TURN_MS = 500;

/** A chunk of a job that was processed. */
export interface Processed {
  items: number;
  seconds: number;
}

export interface JobTurnsOptions {
  log: Log;
  observe: (processed: Processed) => void;
  /** Aborted when turns are to end after their chunk in progress. */
  stopping: AbortSignal;
}

/** Processes the jobs of stores in turns, each of some chunks. */
export class JobTurns {
  readonly #options: JobTurnsOptions;
  /** By job: interrupted attempts that could not be uncounted in the database yet. */
  readonly #toUncount = new Map<string, Attempt>();

  constructor(options: JobTurnsOptions) {
    this.#options = options;
  }

  /** Processes chunks of a store. Returns whether more may be due. Rejects if the database fails. */
  async take(db: Sql, storeId: string): Promise<boolean> {
    await this.#uncountKept(db, storeId);
    const end = performance.now() + TURN_MS;
    while (!this.#options.stopping.aborted && performance.now() < end) {
      const attempt = await beginAttempt(db, storeId);
      if (!attempt) return false;
      await this.#make(db, attempt);
    }
    return true;
  }

  async #make(db: Sql, attempt: Attempt): Promise<void> {
    const { log, observe } = this.#options;
    const { jobId, kind, number } = attempt;
    const start = performance.now();
    try {
      const items = await (kind === 'customers' ? processImport : processNextChunk)(db, attempt);
      if (items > 0) observe({ items, seconds: (performance.now() - start) / 1000 });
    } catch (err) {
      log.warn({ err, job_id: jobId, attempt: number }, 'import interrupted');
      await (isOutage(err) ? this.#uncount(db, attempt) : postponeAfterFailure(db, attempt));
    }
  }

  async #uncount(db: Sql, attempt: Attempt): Promise<void> {
    try {
      await uncountAttempt(db, attempt);
    } catch (error) {
      this.#toUncount.set(attempt.jobId, attempt);
      throw error;
    }
  }

  /** Each is tried once more only: stores have turns once the database answers again. */
  async #uncountKept(db: Sql, storeId: string): Promise<void> {
    const kept = [...this.#toUncount.values()].filter((attempt) => attempt.storeId === storeId);
    for (const { jobId } of kept) this.#toUncount.delete(jobId);
    for (const attempt of kept) await uncountAttempt(db, attempt);
  }
}
