import { extname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DataServer, findOnEach } from '../db/store-data.ts';
import { findUncompared } from '../domain/segments/comparison/progress.ts';
import { findWork } from '../domain/segments/engine/find-work.ts';
import type { SegmentWork } from '../domain/segments/engine/work.ts';
import { Engine, type EngineOptions, type EngineSetup, type Work } from '../engine/engine.ts';
import type { PeriodicTask } from '../engine/periodic.ts';
import { WorkSearch } from '../engine/search.ts';
import type { Log } from '../process/log.ts';

/** Of the time, that comparisons may take; and milliseconds between two batches of a server at the least. */
const [MAX_COMPARING, MIN_PAUSE_MS] = [0.2, 50];
/** Milliseconds for which a store is compared before it is another one's turn. */
const COMPARE_TURN_MS = 60_000;
/** Milliseconds between two looks for stores whose segments are to be compared. */
const COMPARE_MS = 60_000;

const SEGMENTS: Work = {
  name: 'segments',
  module: new URL(`./segments-thread${extname(import.meta.url)}`, import.meta.url),
  turn: 'turn at segments',
  find: findWork,
  rows: 'segment_store',
};

export interface SegmentEngineOptions
  extends Pick<EngineOptions<EngineSetup, SegmentWork>, 'setup' | 'stores' | 'log'> {
  /** Called with what was done, once it is committed. */
  onWork?: ((work: SegmentWork) => void) | undefined;
}

/** Keeps the members of segments up to date, and compares them at night. */
export class SegmentEngine {
  readonly periodic: readonly PeriodicTask[];
  readonly #log: Log;
  readonly #engine: Engine<EngineSetup, SegmentWork>;
  readonly #comparison: WorkSearch;
  /** Servers whose stores are being compared. */
  #comparing = 0;

  constructor({ setup, stores, log, onWork }: SegmentEngineOptions) {
    this.#log = log;
    this.#engine = new Engine(SEGMENTS, { setup, stores, log, onNotice: onWork });
    const failure = 'segments not compared';
    this.periodic = [...this.#engine.periodic, { failure, everyMs: COMPARE_MS, run: () => this.compare() }];
    this.#comparison = new WorkSearch({
      stores,
      log,
      failure,
      search: (server) => this.#compareStores(server),
      // It rests after each batch.
      maxSearching: 1,
    });
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
    await Promise.all([this.#engine.stop(), this.#comparison.stop()]);
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
  async #compareSome(id: string): Promise<boolean> {
    const { stopping: signal } = this.#engine;
    if (signal.aborted) return false;
    try {
      const { isMore, hasFailed, ms } = await this.#engine.ask({ task: 'compare at segments', id });
      const pause = ms * (this.#comparing / MAX_COMPARING - 1);
      await sleep(Math.max(MIN_PAUSE_MS, pause), undefined, { signal });
      return isMore && !hasFailed;
    } catch (err) {
      if (!signal.aborted) this.#log.warn({ err, store_id: id }, 'comparison of segments interrupted');
      return false;
    }
  }
}
