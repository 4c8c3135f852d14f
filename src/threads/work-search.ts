import type { DataServer, StoreData } from '../db/store-data.ts';
import type { Log } from '../process/log.ts';
import { logFailuresOnce } from '../process/log-failures-once.ts';

/** Of the time, that the search of a server may take where there is very much to look through. */
const MAX_SEARCHING = 0.2;

export interface WorkSearchOptions {
  stores: Pick<StoreData, 'servers'>;
  log: Log;
  /** What the log says where a server can't be searched. */
  failure: string;
  /** Looks for work on a server, and has it done, which it does not wait for. */
  search: (server: DataServer) => Promise<void>;
}

interface ServerSearch {
  run: (server: DataServer) => Promise<void>;
  /** The search under way. */
  current: Promise<void> | undefined;
  /** When to search again, by `performance.now()`. */
  next: number;
}

/**
 * Looks for work on each server that has data of stores, and on each by itself: one that is down or hangs holds up none
 * of the others.
 */
export class WorkSearch {
  readonly #options: WorkSearchOptions;
  /** By the server's name. */
  readonly #searches = new Map<string, ServerSearch>();

  constructor(options: WorkSearchOptions) {
    this.#options = options;
  }

  /** Begins a search of each server that it is time for. */
  async tick(): Promise<void> {
    for (const server of await this.#options.stores.servers()) {
      const search = this.#of(server.name);
      if (!search.current && performance.now() >= search.next) search.current = this.#run(search, server);
    }
  }

  /** The number of servers that have been searched. */
  get servers(): number {
    return this.#searches.size;
  }

  /** Waits for the searches under way. */
  async stop(): Promise<void> {
    await Promise.all([...this.#searches.values()].map(({ current }) => current));
  }

  async #run(search: ServerSearch, server: DataServer): Promise<void> {
    const start = performance.now();
    await search.run(server);
    const end = performance.now();
    search.next = end + (end - start) * (1 / MAX_SEARCHING - 1);
    search.current = undefined;
  }

  #of(name: string): ServerSearch {
    let search = this.#searches.get(name);
    if (!search) {
      const { log, failure, search: look } = this.#options;
      search = { run: logFailuresOnce(log, failure, look), current: undefined, next: 0 };
      this.#searches.set(name, search);
    }
    return search;
  }
}
