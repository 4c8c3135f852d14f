import { sql } from 'kysely';
import { singleFlight } from '../../concurrency/single-flight.ts';
import type { Sql } from '../sql.ts';
import { ShardNames } from './shard-names.ts';

/** The shards of all tables that hold the same stores, and the node that they are on. */
export interface Placement {
  /** The connection URL of the node. */
  url: string;
  /** The shard that stands for all of them where Citus is asked about them: that of `profile`. */
  shardId: string;
  /** Names of the shards by those of their tables. */
  shards: ReadonlyMap<string, string>;
}

/** A placement of the data of one store, or of some stores, which may change. */
export type FindPlacement = () => Promise<Placement>;

interface Known {
  /** By the id of the shard of `profile`. */
  byShard: Map<string, Placement>;
  /** Ids of the shards of `profile` by stores, as they are asked for. */
  byStore: Map<string, string>;
  names: ShardNames;
}

/** The shard is no longer where it was, and nothing was stored; to others, a conflict to be retried. */
export class ShardMoved extends Error {
  override readonly name = 'ShardMoved';
  readonly severity = 'ERROR';
  readonly code = '40001';
}

/** Milliseconds for which nodes and shards are not asked for again. */
const KNOWN_MS = 50;

/** Where the shards of a cluster are, as its coordinator says. */
export class Placements {
  readonly #sql: Sql;
  readonly #url: string;
  readonly #load = singleFlight(KNOWN_MS, () => this.#read());
  #map: Known | undefined;

  constructor(db: Sql, url: string) {
    this.#sql = db;
    this.#url = url;
  }

  async names(): Promise<ShardNames> {
    return (await this.#current()).names;
  }

  /** Returns the placement of a store. */
  async ofStore(storeId: string): Promise<Placement> {
    const placement = await this.#find(storeId);
    if (placement) return placement;
    // Its shard is newer than what is known of shards: it was split off.
    await this.refresh();
    return expectFound(await this.#find(storeId));
  }

  async #find(storeId: string): Promise<Placement | undefined> {
    const { byShard, byStore } = await this.#current();
    let shardId = byStore.get(storeId);
    if (shardId === undefined) {
      const { rows } = await sql<{ id: string }>`
        select get_shard_id_for_distribution_column('profile', ${storeId}::uuid)::text as id`.execute(this.#sql);
      shardId = (rows[0] as (typeof rows)[number]).id;
      byStore.set(storeId, shardId);
    }
    return byShard.get(shardId);
  }

  /** Returns the placement of a store that has been asked for. */
  known(storeId: string): Placement | undefined {
    return this.#map?.byShard.get(this.#map.byStore.get(storeId) ?? '');
  }

  async ofShard(shardId: string): Promise<Placement> {
    return expectFound((await this.#current()).byShard.get(shardId));
  }

  async all(): Promise<Placement[]> {
    return [...(await this.#current()).byShard.values()];
  }

  /** Asks again: a shard has moved, or was split. If the coordinator is down, what was known stays. */
  async refresh(): Promise<void> {
    this.#map = await this.#load();
  }

  async #current(): Promise<Known> {
    this.#map ??= await this.#load();
    return this.#map;
  }

  async #read(): Promise<Known> {
    const { rows } = await sql<{ table: string; id: string; min: string; host: string; port: number; group: number }>`
      select c.relname as table, s.shardid::text as id, coalesce(s.shardminvalue, '') as min,
        n.nodename as host, n.nodeport as port, n.groupid as group
      from pg_dist_shard s
      join pg_class c on c.oid = s.logicalrelid
      join pg_dist_placement p using (shardid)
      join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where not c.relispartition and pg_table_is_visible(c.oid)
      order by s.shardid`.execute(this.#sql);
    const byShard = new Map<string, Placement>();
    for (const { id, min, host, port, group } of rows.filter(({ table }) => table === 'profile')) {
      const shards = rows.filter((row) => row.min === min || row.min === '');
      byShard.set(id, {
        // The coordinator may name itself by an address that only it can use.
        url: group === 0 ? this.#url : urlAt(this.#url, host, port),
        shardId: id,
        shards: new Map(shards.map((row) => [row.table, `${row.table}_${row.id}`])),
      });
    }
    return { byShard, byStore: new Map(), names: new ShardNames(new Set(rows.map(({ table }) => table))) };
  }
}

function expectFound(placement: Placement | undefined): Placement {
  if (!placement) throw new ShardMoved('The shard is not known yet, or no longer');
  return placement;
}

/** The nodes of a cluster have the same databases, users and passwords. */
function urlAt(url: string, host: string, port: number): string {
  const at = new URL(url);
  at.searchParams.delete('host');
  at.searchParams.delete('port');
  at.hostname = host.includes(':') ? `[${host}]` : host;
  at.port = String(port);
  return at.href;
}
