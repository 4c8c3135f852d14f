import { extname } from 'node:path';
import type { DataServer, StoreData } from '../db/store-data.ts';
import { type FoundWork, findWork } from '../domain/automations/engine/find-work.ts';
import type { Log } from '../process/log.ts';
import { Thread } from '../threads/thread.ts';
import { WorkSearch } from '../threads/work-search.ts';
import type { EngineThreadSetup, RunsFailed, TurnAnswer, TurnQuestion } from './messages.ts';

/** Megabytes of heap that the thread may use. */
const MAX_MEMORY = 512;
/** Milliseconds before a store gets another turn after one that failed; doubles with each failure. */
const [PAUSE_MS, MAX_PAUSE_MS] = [500, 30_000];

type EngineThread = Thread<EngineThreadSetup, TurnQuestion, TurnAnswer, RunsFailed>;

export interface AutomationEngineOptions {
  setup: EngineThreadSetup;
  stores: Pick<StoreData, 'servers'>;
  /** Whether the stores of a server that nobody may work on are held. */
  isChecked: (server: DataServer) => boolean;
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
  readonly #search: WorkSearch;
  /** Stores whose turn is on, and their servers. */
  readonly #current = new Map<string, string>();
  /** Stores that wait for their turn, and their servers. */
  readonly #waiting = new Map<string, string>();
  /** Stores whose last turns failed: how often, and when the next may be. */
  readonly #failed = new Map<string, { times: number; until: number }>();
  #thread: Promise<EngineThread> | undefined;
  #isStopped = false;

  constructor(options: AutomationEngineOptions) {
    this.#options = options;
    const { stores, log } = options;
    const search = (server: DataServer) => this.#find(server);
    this.#search = new WorkSearch({ stores, log, failure: 'automations not looked after', search });
  }

  /** Looks for work, and begins turns of stores that have some. */
  tick(): Promise<void> {
    return this.#search.tick();
  }

  /** Waits some seconds at most for the transactions in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    await this.#search.stop();
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.stop();
  }

  async #find(server: DataServer): Promise<void> {
    if (!this.#options.isChecked(server)) return;
    const found: FoundWork[] = [];
    await server.each(async (db) => {
      found.push(...(await findWork(db, Date.now())));
    }, 'automation');
    for (const { storeId } of found) {
      if ((this.#failed.get(storeId)?.until ?? 0) <= Date.now()) this.#waiting.set(storeId, server.name);
    }
    this.#beginTurns();
  }

  #beginTurns(): void {
    for (const [storeId, server] of this.#waiting) {
      if (this.#isStopped || this.#current.size >= this.#options.setup.concurrency) return;
      if (this.#current.has(storeId) || !this.#hasTurnsLeft(server)) continue;
      this.#waiting.delete(storeId);
      this.#current.set(storeId, server);
      void this.#takeTurn(storeId, server);
    }
  }

  /** A server may have half of the turns where there are several: it may hang, and all that it has with it. */
  #hasTurnsLeft(server: string): boolean {
    if (this.#search.servers <= 1) return true;
    const taken = [...this.#current.values()].filter((other) => other === server);
    return taken.length < Math.max(1, Math.floor(this.#options.setup.concurrency / 2));
  }

  async #takeTurn(storeId: string, server: string): Promise<void> {
    const answer = await this.#ask(storeId);
    this.#current.delete(storeId);
    if (answer.failure === undefined) {
      this.#failed.delete(storeId);
      // At the end of the queue.
      if (answer.isMore) this.#waiting.set(storeId, server);
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
