import { extname } from 'node:path';
import type { StoreData } from '../db/store-data.ts';
import { findWork } from '../domain/segments/engine/find-work.ts';
import type { Log } from '../process/log.ts';
import { Thread } from '../threads/thread.ts';
import type { SegmentThreadSetup, TurnAnswer, TurnQuestion } from './messages.ts';
import { StoreTurns, type TurnResult } from './store-turns.ts';

/** Megabytes of heap that the thread may use. */
const MAX_MEMORY = 512;
/** Of the time, that the search for work may take where there are very many stores. */
const MAX_SEARCHING = 0.2;

type SegmentThread = Thread<SegmentThreadSetup, TurnQuestion, TurnAnswer, never>;

export interface SegmentEngineOptions {
  setup: SegmentThreadSetup;
  stores: StoreData;
  log: Log;
}

/**
 * Keeps the members of segments up to date, in a separate thread: no request waits for it. The thread starts when the
 * first segment has something to do. Several processes share the work.
 */
export class SegmentEngine {
  readonly #options: SegmentEngineOptions;
  readonly #turns: StoreTurns;
  #thread: Promise<SegmentThread> | undefined;
  /** When to look for work again, by `performance.now()`. */
  #nextSearch = 0;
  #isStopped = false;

  constructor(options: SegmentEngineOptions) {
    this.#options = options;
    this.#turns = new StoreTurns(options.setup.concurrency, (storeId) => this.#take(storeId));
  }

  /** Looks for work, and begins turns of stores that have some. */
  async tick(): Promise<void> {
    const start = performance.now();
    if (start < this.#nextSearch) return;
    const found: string[] = [];
    await this.#options.stores.each(async (db) => {
      found.push(...(await findWork(db)));
    }, 'segment_store');
    const end = performance.now();
    this.#nextSearch = end + (end - start) * (1 / MAX_SEARCHING - 1);
    this.#turns.add(found);
  }

  /** Waits some seconds at most for the transactions in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#turns.stop();
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.stop();
  }

  async #take(storeId: string): Promise<TurnResult> {
    try {
      const thread = await this.#start();
      const { isMore, failure } = await thread.ask({ storeId });
      return { isMore, hasFailed: failure !== undefined };
    } catch (err) {
      if (!this.#isStopped) this.#options.log.warn({ err, store_id: storeId }, 'turn at segments interrupted');
      return { isMore: true, hasFailed: true };
    }
  }

  #start(): Promise<SegmentThread> {
    this.#thread ??= Thread.start<SegmentThreadSetup, TurnQuestion, TurnAnswer, never>({
      name: 'segments',
      module: new URL(`./segment-thread${extname(import.meta.url)}`, import.meta.url),
      data: this.#options.setup,
      log: this.#options.log,
      maxMemory: MAX_MEMORY,
    }).catch((error) => {
      this.#thread = undefined;
      throw error;
    });
    return this.#thread;
  }
}
