import { isBadData } from '../../db/errors.ts';
import type { Sql } from '../../db/orm.ts';
import type { Turns } from '../../turns.ts';
import { ServiceError } from '../errors.ts';
import type { Draft, Outcome, Recorded } from './draft.ts';
import { Lane } from './lane.ts';
import type { BatchObserver } from './observer.ts';
import { recordBatch, recordUnlocked } from './record.ts';
import { retrying } from './retry.ts';

/** Drafts in one group commit. Larger batches gain nothing and make every request in them wait longer. */
const MAX_BATCH = 256;
/** Milliseconds after which nobody waits for the answer any more. */
const PATIENCE_MS = 3_500;

interface Waiting {
  draft: Draft;
  since: number;
  resolve(outcome: Recorded): void;
  reject(error: unknown): void;
}

/** Records drafts durably: what it answers is committed. */
export class Recorder {
  readonly #sql: Sql;
  readonly #observe: BatchObserver;
  readonly #turns: Turns | undefined;
  /** By store; that of a store which has written stays. */
  readonly #lanes = new Map<string, Lane<Waiting>>();

  /** `observe` is told of each batch that was written; batches take turns where several stores share the connections. */
  constructor(sql: Sql, observe: BatchObserver = () => {}, turns?: Turns) {
    this.#sql = sql;
    this.#observe = observe;
    this.#turns = turns;
  }

  /** Drafts that wait for their batch. */
  get waiting(): number {
    return [...this.#lanes.values()].reduce((sum, lane) => sum + lane.length, 0);
  }

  /** Milliseconds that the oldest of them has waited. */
  get lag(): number {
    const now = performance.now();
    return Math.max(0, ...[...this.#lanes.values()].map(({ since = now }) => now - since));
  }

  /**
   * Records one draft, in one transaction with those of the same store that come while an earlier one is under way or
   * in the moment after it (group commit): under load many requests share the cost of a commit.
   */
  async record(storeId: string, draft: Draft): Promise<Recorded> {
    return new Promise((resolve, reject) => {
      const entry = { draft, since: performance.now(), resolve, reject };
      const lane = this.#lanes.get(storeId) ?? new Lane(MAX_BATCH, (batch) => this.#write(storeId, batch));
      this.#lanes.set(storeId, lane);
      lane.add(entry);
    });
  }

  /** Records drafts in one transaction of their own: all, or none where it throws. Refused ones are in the outcomes. */
  async recordAll(storeId: string, drafts: readonly Draft[], source: 'bulk' | 'group' = 'bulk'): Promise<Outcome[]> {
    if (this.#turns?.tryBegin(storeId) === false) await this.#turns.begin(storeId);
    try {
      const start = performance.now();
      const outcomes = await retrying(
        this.#sql,
        async () =>
          (await recordUnlocked(this.#sql, storeId, drafts)) ??
          (await this.#sql.transaction().execute((tx) => recordBatch(tx, storeId, drafts))),
      );
      this.#observe(source, drafts.length, (performance.now() - start) / 1000);
      return outcomes;
    } finally {
      this.#turns?.end(storeId);
    }
  }

  async #write(storeId: string, batch: Waiting[]): Promise<void> {
    const deadline = performance.now() - PATIENCE_MS;
    for (const { reject } of batch.filter(({ since }) => since < deadline)) {
      reject(new ServiceError('database_error', 'The database did not respond in time; try again'));
    }
    await this.#commit(
      storeId,
      batch.filter(({ since }) => since >= deadline),
    );
  }

  async #commit(storeId: string, batch: Waiting[]): Promise<void> {
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
      // No request fails because of its neighbour's data. Anything else would meet the halves as well; and where the
      // connection broke, the commit may have happened, so that to try again could record twice.
      if (batch.length > 1 && isBadData(error)) {
        const half = batch.length >> 1;
        await this.#commit(storeId, batch.slice(0, half));
        await this.#commit(storeId, batch.slice(half));
      } else {
        for (const { reject } of batch) reject(error);
      }
    }
  }
}
