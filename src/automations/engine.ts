import { extname } from 'node:path';
import { type DataServer, findOnEach, type StoreData } from '../db/store-data.ts';
import { findWork } from '../domain/automations/engine/find-work.ts';
import type { Log } from '../process/log.ts';
import { StoreTurns, type TurnResult } from '../threads/store-turns.ts';
import { Thread } from '../threads/thread.ts';
import { WorkSearch } from '../threads/work-search.ts';
import type { EngineThreadSetup, RunsLost, TurnAnswer, TurnQuestion } from './messages.ts';

/** Megabytes of heap that the thread may use. */
const MAX_MEMORY = 512;

export interface AutomationEngineOptions {
  setup: EngineThreadSetup;
  stores: Pick<StoreData, 'servers'>;
  /** Whether the stores of a server that nobody may work on are held. */
  isChecked: (server: DataServer) => boolean;
  log: Log;
  /** Called with runs that have failed for good, or that were cut. */
  onLost: (lost: RunsLost) => void;
}

/**
 * Does what automations have to do, in a separate thread: no request waits for it. The thread starts when the first
 * automation has something to do. Stores take turns; several processes share the work.
 */
export class AutomationEngine {
  readonly #options: AutomationEngineOptions;
  readonly #search: WorkSearch;
  readonly #turns: StoreTurns;
  readonly #thread: Thread<EngineThreadSetup, TurnQuestion, TurnAnswer, RunsLost>;
  #isStopped = false;

  constructor(options: AutomationEngineOptions) {
    this.#options = options;
    const { stores, log, setup } = options;
    this.#thread = new Thread({
      name: 'automations',
      module: new URL(`./engine-thread${extname(import.meta.url)}`, import.meta.url),
      data: setup,
      log,
      maxMemory: MAX_MEMORY,
      onNotice: (lost) => options.onLost(lost),
    });
    const search = (server: DataServer) => this.#find(server);
    this.#search = new WorkSearch({ stores, log, failure: 'automations not looked after', search });
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
    await this.#thread.stop();
  }

  async #find(server: DataServer): Promise<void> {
    if (!this.#options.isChecked(server)) return;
    const found = await findOnEach(server, (db) => findWork(db, Date.now()), 'automation');
    const storeIds = found.map(({ storeId }) => storeId);
    this.#turns.add(storeIds, server.name);
  }

  async #take(storeId: string): Promise<TurnResult> {
    try {
      const { isMore, failure } = await this.#thread.ask({ storeId });
      return { isMore, hasFailed: failure !== undefined };
    } catch (err) {
      if (!this.#isStopped) this.#options.log.warn({ err, store_id: storeId }, 'turn at automations interrupted');
      return { isMore: true, hasFailed: true };
    }
  }
}
