import { extname } from 'node:path';
import type { DataServer, StoreData } from '../db/store-data.ts';
import { findWork } from '../domain/segments/engine/find-work.ts';
import type { Log } from '../process/log.ts';
import { StoreTurns, type TurnResult } from '../threads/store-turns.ts';
import { Thread } from '../threads/thread.ts';
import { WorkSearch } from '../threads/work-search.ts';
import type { SegmentThreadSetup, TurnAnswer, TurnQuestion } from './messages.ts';

/** Megabytes of heap that the thread may use. */
const MAX_MEMORY = 512;

type SegmentThread = Thread<SegmentThreadSetup, TurnQuestion, TurnAnswer, never>;

export interface SegmentEngineOptions {
  setup: SegmentThreadSetup;
  stores: Pick<StoreData, 'servers'>;
  log: Log;
}

/**
 * Keeps the members of segments up to date, in a separate thread: no request waits for it. The thread starts when the
 * first segment has something to do. Several processes share the work.
 */
export class SegmentEngine {
  readonly #options: SegmentEngineOptions;
  readonly #search: WorkSearch;
  readonly #turns: StoreTurns;
  #thread: Promise<SegmentThread> | undefined;
  #isStopped = false;

  constructor(options: SegmentEngineOptions) {
    this.#options = options;
    const { stores, log, setup } = options;
    const search = (server: DataServer) => this.#find(server);
    this.#search = new WorkSearch({ stores, log, failure: 'segments not looked after', search });
    this.#turns = new StoreTurns({
      concurrency: setup.concurrency,
      servers: () => this.#search.servers,
      take: (storeId) => this.#take(storeId),
    });
  }

  /** Looks for work, and begins turns of stores that have some. */
  tick(): Promise<void> {
    return this.#search.tick();
  }

  /** Waits some seconds at most for the transactions in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#turns.stop();
    await this.#search.stop();
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.stop();
  }

  async #find(server: DataServer): Promise<void> {
    const found: string[] = [];
    await server.each(async (db) => {
      found.push(...(await findWork(db)));
    }, 'segment_store');
    this.#turns.add(found, server.name);
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
