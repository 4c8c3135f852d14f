import type { Pool } from './query-timeout.ts';
import type { Sql } from './sql.ts';

/** A server that has data of stores. */
export interface DataServer {
  /** Differs from server to server. */
  name: string;
  /** As that of `StoreData`, on the parts of the data that the server has. */
  each(work: (db: Sql) => Promise<void>, rows?: string): Promise<void>;
}

/** Where the data of stores is: in the database, or on the nodes of a cluster. */
export interface StoreData {
  /** Returns the database for statements that concern one store. */
  of(storeId: string): Sql;
  /**
   * Does some work on every part of the data: all of it, or one part after the other. Parts may be left out that have no
   * rows for it: `rows` is a table, with a condition perhaps, as after `from`.
   */
  each(work: (db: Sql) => Promise<void>, rows?: string): Promise<void>;
  /** The servers that the data is on now, for what one that is down must not keep from being done on the others. */
  servers(): Promise<DataServer[]>;
  /** What is not on the nodes of a cluster: stores and keys. */
  shared: Sql;
  /** Groups stores by parts of the data that one statement can reach. */
  groupStores(storeIds: readonly string[]): { db: Sql; storeIds: readonly string[] }[];
  /** Names the server that has a store's data, as far as that is known. */
  nodeOf: (storeId: string) => string;
  /** The same, once it is known. */
  findNode(storeId: string): Promise<string>;
  /** Connections to servers other than that of the keys, as far as they are open. */
  pools(): Pool[];
  /** Returns the servers with stores' data that do not respond, other than that of the keys. */
  nodesDown(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Returns what is found on every part of the data that a server has, or all of them. Not by `push`: an argument list can
 * not be as long as there are stores.
 */
export async function findOnEach<Found>(
  { each }: Pick<DataServer, 'each'>,
  find: (db: Sql) => Promise<readonly Found[]>,
  rows?: string,
): Promise<Found[]> {
  const parts: (readonly Found[])[] = [];
  await each(async (db) => {
    parts.push(await find(db));
  }, rows);
  return parts.flat();
}

/** The data of all stores in one database. */
export function undivided(db: Sql): StoreData {
  const each: DataServer['each'] = (work) => work(db);
  return {
    of: () => db,
    each,
    servers: async () => [{ name: '', each }],
    shared: db,
    groupStores: (storeIds) => [{ db, storeIds }],
    nodeOf: () => '',
    findNode: async () => '',
    pools: () => [],
    nodesDown: async () => 0,
    close: async () => {},
  };
}
