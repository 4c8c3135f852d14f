import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataServer, findOnEach, type StoreData } from '../db/store-data.ts';
import { findUncompared } from '../domain/segments/comparison/progress.ts';
import { findWork } from '../domain/segments/engine/find-work.ts';
import type { SegmentWork } from '../domain/segments/engine/work.ts';
import type { Log } from '../process/log.ts';
import { StoreTurns, type TurnResult } from '../threads/store-turns.ts';
import { Thread } from '../threads/thread.ts';
import { WorkSearch } from '../threads/work-search.ts';
import type { SegmentThreadSetup, TurnAnswer, TurnQuestion } from './messages.ts';

/** Megabytes of heap that the thread may use. */
const MAX_MEMORY = 512;
/** Of the time, that comparisons may take; and milliseconds between two batches of a server at the least. */
const [MAX_COMPARING, MIN_PAUSE_MS] = [0.2, 50];
/** Milliseconds for which a store is compared before it is another one's turn. */
const COMPARE_TURN_MS = 60_000;

export interface SegmentEngineOptions {
  setup: SegmentThreadSetup;
  stores: Pick<StoreData, 'servers'>;
  log: Log;
  /** Called with what was done, once it is committed. */
  onWork: (work: SegmentWork) => void;
}

/**
 * Keeps the members of segments up to date, in a separate thread: no request waits for it. The thread starts when the
 * first segment has something to do. Several processes share the work.
 */
export class SegmentEngine {
  readonly #options: SegmentEngineOptions;
  readonly #search: WorkSearch;
  readonly #turns: StoreTurns;
  readonly #comparison: WorkSearch;
  /** Servers whose stores are being compared. */
  #comparing = 0;
  readonly #thread: Thread<SegmentThreadSetup, TurnQuestion, TurnAnswer, never>;
  readonly #stopped = new AbortController();

  constructor(options: SegmentEngineOptions) {
    this.#options = options;
    const { stores, log, setup } = options;
    this.#thread = new Thread({
      name: 'segments',
      module: new URL(`./segment-thread${extname(import.meta.url)}`, import.meta.url),
      data: setup,
      log,
      maxMemory: MAX_MEMORY,
    });
    const search = (server: DataServer) => this.#find(server);
    this.#search = new WorkSearch({ stores, log, failure: 'segments not looked after', search });
    this.#turns = new StoreTurns({
      concurrency: setup.concurrency,
      servers: () => this.#search.servers,
      take: (storeId) => this.#take(storeId),
    });
    this.#comparison = new WorkSearch({
      stores,
      log,
      failure: 'segments not compared',
      search: (server) => this.#compareStores(server),
      // It rests after each batch.
      maxSearching: 1,
    });
  }

  /** Looks for work, and begins turns of stores that have some. */
  tick(): Promise<void> {
    return this.#search.tick();
  }

  /**
   * Has members compared with what a second evaluator says, until nothing of this night is left: on each server those of
   * one store after the other.
   */
  compare(): Promise<void> {
    return this.#comparison.tick();
  }

  /** Waits some seconds at most for the transactions in progress. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#turns.stop();
    await this.#search.stop();
    await this.#thread.stop();
    await this.#comparison.stop();
  }

  async #find(server: DataServer): Promise<void> {
    this.#turns.add(await findOnEach(server, findWork, 'segment_store'), server.name);
  }

  async #take(storeId: string): Promise<TurnResult> {
    try {
      const { isMore, failure, work } = await this.#thread.ask({ storeId, task: 'turn' });
      this.#options.onWork(work);
      return { isMore, hasFailed: failure !== undefined };
    } catch (err) {
      if (!this.#stopped.signal.aborted)
        this.#options.log.warn({ err, store_id: storeId }, 'turn at segments interrupted');
      return { isMore: true, hasFailed: true };
    }
  }

  async #compareStores(server: DataServer): Promise<void> {
    let left = await findOnEach(server, findUncompared, 'segment_store');
    this.#comparing += 1;
    // In turns: a large store takes most of a night.
    while (left.length > 0) {
      const unfinished: string[] = [];
      for (const storeId of left) if (await this.#compareFor(storeId, COMPARE_TURN_MS)) unfinished.push(storeId);
      left = unfinished;
    }
    this.#comparing -= 1;
  }

  /** Returns whether more of the store is to be compared. */
  async #compareFor(storeId: string, ms: number): Promise<boolean> {
    const end = performance.now() + ms;
    let isMore = await this.#compareSome(storeId);
    while (isMore && performance.now() < end) isMore = await this.#compareSome(storeId);
    return isMore;
  }

  /**
   * Returns whether more of the store is to be compared at once. Leaves most of the time to other work, however many
   * servers share the rest.
   */
  async #compareSome(storeId: string): Promise<boolean> {
    const { signal } = this.#stopped;
    if (signal.aborted) return false;
    try {
      await this.#thread.start();
      const start = performance.now();
      const { isMore, failure, work } = await this.#thread.ask({ storeId, task: 'compare' });
      this.#options.onWork(work);
      const pause = (performance.now() - start) * (this.#comparing / MAX_COMPARING - 1);
      await sleep(Math.max(MIN_PAUSE_MS, pause), undefined, { signal });
      return isMore && failure === undefined;
    } catch (err) {
      if (!signal.aborted) this.#options.log.warn({ err, store_id: storeId }, 'comparison of segments interrupted');
      return false;
    }
  }
}
