import { Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Pool as Connections } from 'pg';
import { settleWithin } from '../../concurrency/settle-within.ts';
import type { Pool } from '../query-timeout.ts';
import type { Sql } from '../sql.ts';
import type { DataServer, StoreData } from '../store-data.ts';
import type { Tables } from '../tables.ts';
import { type FindPlacement, type Placement, Placements } from './placements.ts';
import { ShardDriver } from './shard-driver.ts';

/** Milliseconds after which a node that does not respond counts as down. */
const PATIENCE_MS = 1_500;

/** Connections to a node. */
export interface Node {
  pool: Pool & Connections;
  close(): Promise<void>;
}

/** The data of stores on the nodes of a cluster; connections to a node are opened when they are first needed. */
export class Shards implements StoreData {
  readonly shared: Sql;
  readonly #placements: Placements;
  readonly #open: (url: string) => Promise<Node>;
  readonly #nodes = new Map<string, Promise<Node>>();
  readonly #opened = new Map<string, Node>();
  /** By store; never removed. */
  readonly #stores = new Map<string, Sql>();

  constructor(coordinator: Sql, url: string, open: (url: string) => Promise<Node>) {
    this.shared = coordinator;
    this.#placements = new Placements(coordinator, url);
    this.#open = open;
  }

  of(storeId: string): Sql {
    let db = this.#stores.get(storeId);
    if (!db) {
      db = this.#at(() => this.#placements.ofStore(storeId));
      this.#stores.set(storeId, db);
    }
    return db;
  }

  /** On all nodes at the same time, so that one that is down does not hold up the others. */
  async each(work: (db: Sql) => Promise<void>, rows?: string): Promise<void> {
    const outcomes = await Promise.allSettled((await this.servers()).map((server) => server.each(work, rows)));
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async servers(): Promise<DataServer[]> {
    const ofNodes = Map.groupBy(await this.#placements.all(), ({ url }) => url);
    return [...ofNodes].map(([url, placements]) => ({
      name: url,
      each: async (work, rows) => {
        const chosen = rows === undefined ? placements : await this.#having(rows, url, placements);
        // At random: where the time is up before the last one, it is not always the same ones that get none.
        for (const { shardId } of shuffled(chosen)) await work(this.#at(() => this.#placements.ofShard(shardId)));
      },
    }));
  }

  groupStores(storeIds: readonly string[]): { db: Sql; storeIds: string[] }[] {
    return storeIds.map((storeId) => ({ db: this.of(storeId), storeIds: [storeId] }));
  }

  readonly nodeOf = (storeId: string): string => this.#placements.known(storeId)?.url ?? '';

  async findNode(storeId: string): Promise<string> {
    return (await this.#placements.ofStore(storeId)).url;
  }

  pools(): Pool[] {
    return [...this.#opened.values()].map(({ pool }) => pool);
  }

  async nodesDown(): Promise<number> {
    const urls = new Set((await this.#placements.all()).map(({ url }) => url));
    const asked = [...urls].map((url) => settleWithin(PATIENCE_MS, this.#ask(url)));
    return (await Promise.all(asked)).filter((answer) => answer === undefined).length;
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.#nodes.values());
    await Promise.all(opened.map((node) => node.status === 'fulfilled' && node.value.close()));
  }

  #at(find: FindPlacement): Sql {
    const driver = new ShardDriver({ placements: this.#placements, find, connect: (url) => this.#connect(url) });
    return new Kysely<Tables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => driver,
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
  }

  /** Returns the placements that have such rows; one statement costs a node less than one for each. */
  async #having(rows: string, url: string, placements: Placement[]): Promise<Placement[]> {
    const names = await this.#placements.names();
    const each = placements.map((placement, n) => {
      const from = names.apply(`from ${rows}`, (table) => placement.shards.get(table) as string);
      return `select ${n}::int as n where exists (select ${from})`;
    });
    const found = await this.#query<{ n: number }>(url, each.join(' union all ')).catch(async (error) => {
      // A shard may have moved, and its table be gone.
      await this.#placements.refresh();
      throw error;
    });
    return found.map(({ n }) => placements[n] as Placement);
  }

  async #query<Row>(url: string, text: string): Promise<Row[]> {
    const client = await this.#connect(url);
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      client.release();
    }
  }

  async #ask(url: string): Promise<true> {
    await this.#query(url, 'select');
    return true;
  }

  async #connect(url: string) {
    let node = this.#nodes.get(url);
    if (!node) {
      node = this.#open(url);
      this.#nodes.set(url, node);
      node.then(
        (opened) => this.#opened.set(url, opened),
        () => this.#nodes.delete(url),
      );
    }
    return (await node).pool.connect();
  }
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
