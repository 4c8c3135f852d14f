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
  /** Looks for work on a server, and has it done; that may go on afterwards. */
  search: (server: DataServer) => Promise<void>;
  /** Of the time, that the search of a server may take at the most, in place of `MAX_SEARCHING`. */
  maxSearching?: number;
}

/**
 * Looks for work on each server that has data of stores, and on each by itself: one that is down or hangs holds up none
 * of the others.
 */
export class WorkSearch {
  readonly #options: WorkSearchOptions;
  /** By the server's name. */
  readonly #searches = new Map<string, ServerSearch>();
  #isStopped = false;

  constructor(options: WorkSearchOptions) {
    this.#options = options;
  }

  /** Begins a search of each server that it is time for. */
  async tick(): Promise<void> {
    const servers = await this.#options.stores.servers();
    if (this.#isStopped) return;
    const names = new Set(servers.map(({ name }) => name));
    for (const [name, { current }] of this.#searches) if (!current && !names.has(name)) this.#searches.delete(name);
    for (const server of servers) this.#of(server.name).begin(server);
  }

  /** The number of servers that are searched. */
  get servers(): number {
    return this.#searches.size;
  }

  /** Whether a server of that name is searched. */
  knows(name: string): boolean {
    return this.#searches.has(name);
  }

  /** Whether the last search of any server has succeeded, or none has ended yet. */
  get isAvailable(): boolean {
    const searches = [...this.#searches.values()];
    return searches.length === 0 || searches.some(({ hasFailed }) => !hasFailed);
  }

  /** Begins no more, and waits for those under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all([...this.#searches.values()].map(({ current }) => current));
  }

  #of(name: string): ServerSearch {
    const search = this.#searches.get(name) ?? new ServerSearch(this.#options);
    this.#searches.set(name, search);
    return search;
  }
}

/** The searches of one server, of which one is under way at a time. */
class ServerSearch {
  current: Promise<void> | undefined;
  /** Whether the last one that ended has. */
  hasFailed = false;
  readonly #search: (server: DataServer) => Promise<void>;
  /** When to search again, by `performance.now()`. */
  #next = 0;

  constructor({ log, failure, search, maxSearching = MAX_SEARCHING }: WorkSearchOptions) {
    this.#search = logFailuresOnce(log, failure, async (server: DataServer) => {
      const start = performance.now();
      await search(server).catch((error) => {
        this.hasFailed = true;
        throw error;
      });
      this.hasFailed = false;
      const end = performance.now();
      // Not after a failure: what took the time then was no work of the server.
      this.#next = end + (end - start) * (1 / maxSearching - 1);
    });
  }

  begin(server: DataServer): void {
    if (this.current || performance.now() < this.#next) return;
    this.current = this.#search(server).finally(() => {
      this.current = undefined;
    });
  }
}
