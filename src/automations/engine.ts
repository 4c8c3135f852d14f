import { extname } from 'node:path';
import type { StoreData } from '../db/store-data.ts';
import { type FoundWork, findWork } from '../domain/automations/engine/find-work.ts';
import type { Log } from '../process/log.ts';
import { Thread } from '../threads/thread.ts';
import type { EngineThreadSetup, RunsFailed, TurnAnswer, TurnQuestion } from './messages.ts';

/** Megabytes of heap that the thread may use. */
const MAX_MEMORY = 512;
/** Milliseconds before a store gets another turn after one that failed; doubles with each failure. */
const [PAUSE_MS, MAX_PAUSE_MS] = [500, 30_000];
/** Of the time, that the search for work may take where there are very many automations. */
const MAX_SEARCHING = 0.2;

type EngineThread = Thread<EngineThreadSetup, TurnQuestion, TurnAnswer, RunsFailed>;

export interface AutomationEngineOptions {
  setup: EngineThreadSetup;
  stores: StoreData;
  log: Log;
  /** Called with the number of runs that have failed for good. */
  onFailed: (runs: number) => void;
}

/**
 * Does what automations have to do, in a separate thread: no request waits for it. The thread starts when the first
 * automation has something to do. Stores take turns; several processes share the work.
 */
export class AutomationEngine {
  readonly #options: AutomationEngineOptions;
  readonly #current = new Set<string>();
  /** Stores that wait for their turn. */
  readonly #waiting = new Set<string>();
  /** Stores whose last turns failed: how often, and when the next may be. */
  readonly #failed = new Map<string, { times: number; until: number }>();
  #thread: Promise<EngineThread> | undefined;
  /** When to look for work again, by `performance.now()`. */
  #nextSearch = 0;
  #isStopped = false;

  constructor(options: AutomationEngineOptions) {
    this.#options = options;
  }

  /** Looks for work, and begins turns of stores that have some. */
  async tick(): Promise<void> {
    const start = performance.now();
    if (start < this.#nextSearch) return;
    const found: FoundWork[] = [];
    await this.#options.stores.each(async (db) => {
      found.push(...(await findWork(db, Date.now())));
    }, 'automation');
    const end = performance.now();
    this.#nextSearch = end + (end - start) * (1 / MAX_SEARCHING - 1);
    for (const { storeId } of found) {
      if ((this.#failed.get(storeId)?.until ?? 0) <= Date.now()) this.#waiting.add(storeId);
    }
    this.#beginTurns();
  }

  /** Waits some seconds at most for the transactions in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.stop();
  }

  #beginTurns(): void {
    for (const storeId of this.#waiting) {
      if (this.#isStopped || this.#current.size >= this.#options.setup.concurrency) return;
      if (this.#current.has(storeId)) continue;
      this.#waiting.delete(storeId);
      this.#current.add(storeId);
      void this.#takeTurn(storeId);
    }
  }

  async #takeTurn(storeId: string): Promise<void> {
    const answer = await this.#ask(storeId);
    this.#current.delete(storeId);
    if (answer.failure === undefined) {
      this.#failed.delete(storeId);
      // At the end of the queue.
      if (answer.isMore) this.#waiting.add(storeId);
    } else {
      const times = (this.#failed.get(storeId)?.times ?? 0) + 1;
      this.#failed.set(storeId, { times, until: Date.now() + Math.min(PAUSE_MS * 2 ** (times - 1), MAX_PAUSE_MS) });
    }
    this.#beginTurns();
  }

  async #ask(storeId: string): Promise<TurnAnswer> {
    try {
      const thread = await this.#start();
      return await thread.ask({ storeId });
    } catch (err) {
      if (!this.#isStopped) this.#options.log.warn({ err, store_id: storeId }, 'turn at automations interrupted');
      return { isMore: true, failure: 'interrupted' };
    }
  }

  #start(): Promise<EngineThread> {
    this.#thread ??= Thread.start<EngineThreadSetup, TurnQuestion, TurnAnswer, RunsFailed>({
      name: 'automations',
      module: new URL(`./engine-thread${extname(import.meta.url)}`, import.meta.url),
      data: this.#options.setup,
      log: this.#options.log,
      maxMemory: MAX_MEMORY,
      onNotice: ({ runs }) => this.#options.onFailed(runs),
    }).catch((error) => {
      this.#thread = undefined;
      throw error;
    });
    return this.#thread;
  }
}
