import type { Address, Sql } from '../db/orm.ts';
import { type DataServer, findOnEach, type StoreData } from '../db/store-data.ts';
import type { Log } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import { Thread } from '../threads/thread.ts';
import type { PeriodicTask } from './periodic.ts';
import { WorkSearch } from './search.ts';
import { StoreTurns, type TurnResult, type TurnsOptions } from './turns.ts';

/** Megabytes of heap that the thread may use, if the work does not say. */
const MAX_MEMORY = 512;
/** Milliseconds between two looks for what is to be done. */
const TICK_MS = 250;

/** What an engine does. */
export interface Work extends Pick<TurnsOptions, 'pauseMs' | 'stuckMs' | 'ignoresCurrent'> {
  /** For the log, and for what shows the threads of a process: `automations`. */
  name: string;
  /** Calls `serveEngine`. */
  module: URL;
  /** The task of the thread that takes a turn. */
  turn: string;
  /**
   * Finds who has something to do in one part of the data: ids of stores, or `store/part` where the parts of a store have
   * turns of their own.
   */
  find: (db: Sql) => Promise<readonly string[]>;
  /** The table without whose rows a part of the data has nothing to do; with a condition perhaps. */
  rows: string;
  /** Megabytes of heap that the thread may use. */
  maxMemory?: number;
  /** Megabytes besides, for what has just been allocated, if not as many as others have. */
  youngMemory?: number;
}

/** What the thread of an engine needs. */
export interface EngineSetup extends Pick<TurnsOptions, 'concurrency'> {
  address: Address;
}

export interface EngineOptions<Setup extends EngineSetup, Notice> {
  setup: Setup;
  stores: Pick<StoreData, 'servers'>;
  log: Log;
  /** Whether a server may be worked on yet; by default, any may be. */
  isReady?: (server: DataServer) => boolean;
  /** Called with what the thread tells of its own accord. */
  onNotice?: ((notice: Notice) => void) | undefined;
}

/** What the thread is asked to do, and for whom. */
export interface Task {
  task: string;
  id: string;
}

/**
 * Has work done in a separate thread: no request waits for it. The thread starts with the first turn. Who has something to
 * do takes turns; several processes share the work.
 */
export class Engine<Setup extends EngineSetup, Notice> {
  readonly periodic: readonly PeriodicTask[];
  readonly #work: Work;
  readonly #options: EngineOptions<Setup, Notice>;
  readonly #search: WorkSearch;
  readonly #turns: StoreTurns;
  readonly #thread: Thread<Setup, Task, TurnResult, Notice>;
  readonly #stopping = new AbortController();
  /** Whether the thread could not be started for the last turn that has ended. */
  #cantStart = false;

  constructor(work: Work, options: EngineOptions<Setup, Notice>) {
    this.#work = work;
    this.#options = options;
    const { name, module, maxMemory = MAX_MEMORY, youngMemory } = work;
    const { setup, stores, log, onNotice } = options;
    const failure = `servers of ${name} not known`;
    this.periodic = [{ failure, everyMs: TICK_MS, run: () => this.#search.tick() }];
    this.#thread = new Thread({ name, module, data: setup, log, maxMemory, youngMemory, onNotice });
    const search = (server: DataServer) => this.#find(server);
    this.#search = new WorkSearch({ stores, log, failure: `${name} not looked after`, search });
    this.#turns = new StoreTurns({
      ...work,
      concurrency: setup.concurrency,
      servers: () => this.#search.servers,
      take: (id) => this.#take(id),
    });
  }

  /** Aborted when it is to stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Whether the last look for what is to be done has succeeded, on any of the servers, and the thread has been started. */
  get isAvailable(): boolean {
    return this.#search.isAvailable && !this.#cantStart;
  }

  /**
   * Has a store take a turn without being found first: it has just been given something to do. Where the server that it is
   * on is not known it is left to be found, as turns are counted by server.
   */
  add(storeId: string, server: string): void {
    if (this.#search.knows(server)) this.#turns.add([storeId], server);
  }

  /** Has the thread do something besides, once it is ready. Returns how it went, and the milliseconds that it took. */
  async ask(task: Task): Promise<TurnResult & { ms: number }> {
    await this.#thread.start();
    const start = performance.now();
    const result = await this.#thread.ask(task);
    return { ...result, ms: performance.now() - start };
  }

  /** Waits some seconds at most for the turns in progress. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#turns.stop();
    await Promise.all([this.#search.stop(), this.#thread.stop()]);
  }

  async #find(server: DataServer): Promise<void> {
    const { find, rows } = this.#work;
    const { isReady = () => true } = this.#options;
    if (isReady(server)) this.#turns.add(await findOnEach(server, find, rows), server.name);
  }

  async #take(id: string): Promise<TurnResult> {
    const task = this.#work.turn;
    try {
      const result = await this.#thread.ask({ task, id });
      this.#cantStart = false;
      return result;
    } catch (err) {
      this.#cantStart = err instanceof StartError;
      const fields = { err, store_id: id.split('/')[0] };
      if (!this.stopping.aborted) this.#options.log.warn(fields, `${task} interrupted`);
      return { isMore: true, hasFailed: true };
    }
  }
}
