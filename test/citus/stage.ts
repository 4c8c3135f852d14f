import { closeDatabase, execute, urlAt } from '../support/citus.ts';
import { Client } from '../support/client.ts';
import type { TestDatabase } from '../support/postgres.ts';
import { until } from '../support/process.ts';
import type { TestService } from '../support/service.ts';

interface Node {
  host: string;
  port: number;
}

/** Where the data of a store is. */
interface Place extends Node {
  shard: string;
}

interface StoredEvent {
  idempotency_key: string | null;
  properties: Record<string, unknown>;
}

/** A store with a client, on one of the nodes. */
export interface PlacedStore {
  id: string;
  client: Client;
}

/** Returns the node of a store, and the shard of `profile` with its customers. */
export async function placeOf({ database }: TestService, storeId: string): Promise<Place> {
  const [place] = await database.query<Place>(`
    select s.id::text as shard, nodename as host, nodeport as port
    from (select get_shard_id_for_distribution_column('profile', '${storeId}'::uuid) as id) s
    join pg_dist_placement on shardid = s.id join pg_dist_node using (groupid)`);
  return place as Place;
}

/** Returns two stores that are on different nodes. */
export async function storesApart(service: TestService): Promise<[PlacedStore, PlacedStore]> {
  const stores = new Map<number, PlacedStore>();
  while (stores.size < 2) {
    const { key, storeId } = await service.newKey();
    const { port } = await placeOf(service, storeId);
    stores.set(port, { id: storeId, client: new Client(service.url, key) });
  }
  return [...stores.values()] as [PlacedStore, PlacedStore];
}

/** Returns another store that is on the same shards. */
export async function storeBeside(service: TestService, storeId: string): Promise<PlacedStore> {
  const { shard } = await placeOf(service, storeId);
  for (;;) {
    const { key, storeId: id } = await service.newKey();
    if ((await placeOf(service, id)).shard === shard) return { id, client: new Client(service.url, key) };
  }
}

/** Moves a store, and all others of its shards, to the node of another one. */
export async function moveStore(service: TestService, storeId: string, beside: string): Promise<void> {
  const [from, to] = [await placeOf(service, storeId), await placeOf(service, beside)];
  await service.database.query(`
    select citus_move_shard_placement(
      ${from.shard}, '${from.host}', ${from.port}, '${to.host}', ${to.port}, 'block_writes')`);
}

/** Splits the shards that two stores are on, so that one of the two goes to another node. */
export async function splitStores(service: TestService, stores: readonly [string, string], to: Node): Promise<void> {
  const from = await placeOf(service, stores[0]);
  await service.database.query(`
    select citus_split_shard_by_split_points(
      ${from.shard}, array[least(${stores.map((id) => `worker_hash('${id}'::uuid)`)})::text],
      array[${[from, to].map(({ port }) => `(select nodeid from pg_dist_node where nodeport = ${port})`)}],
      'block_writes')`);
}

/** The URL of the test's database on a node. */
export function urlOn(database: TestDatabase, node: Node): string {
  return urlAt(database.url, node, nameOf(database));
}

/** Has a node refuse connections to the database, and ends those that there are, in the middle of whatever they do. */
export async function loseNode(database: TestDatabase, node: Node): Promise<void> {
  await closeDatabase(urlAt(database.url, node, 'postgres'), nameOf(database));
}

export async function returnNode(database: TestDatabase, node: Node): Promise<void> {
  const postgres = urlAt(database.url, node, 'postgres');
  await execute(postgres, `alter database ${nameOf(database)} allow_connections true`);
}

/**
 * Has whoever writes to the stores of a node wait until they give up, as if the node hung; the result lets them go on.
 */
export async function hang(database: TestDatabase, node: Node): Promise<() => Promise<void>> {
  const url = urlOn(database, node);
  const held = execute(
    url,
    `select lock_shard_metadata(7, array_agg(shardid)), pg_sleep(120)
     from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_local_group using (groupid)
     where logicalrelid = 'profile'::regclass`,
  ).catch(() => {});
  const ofHolders = `from pg_locks where locktype = 'advisory' and mode = 'ExclusiveLock' and granted
    and database = (select oid from pg_database where datname = current_database())`;
  await until(async () => (await execute(url, `select ${ofHolders}`)).length > 0, 'the shards are locked');
  return async () => {
    await execute(url, `select pg_terminate_backend(pid) ${ofHolders}`);
    await held;
  };
}

export function nameOf({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1);
}

/** Keeps sending events of a store, single and in bulk, until it is stopped. */
export class EventSender {
  readonly acknowledged: string[] = [];
  readonly refused: number[] = [];
  #isStopped = false;
  readonly #ended: Promise<unknown>;

  constructor({ client }: PlacedStore, name: string) {
    this.#ended = Promise.all(
      Array.from({ length: 6 }, (_, n) => this.#send(client, `${name}-${n}`, n === 0 ? 20 : 1)),
    );
  }

  async #send(client: Client, name: string, size: number): Promise<void> {
    for (let n = 0; !this.#isStopped; n += 1) {
      const events = Array.from({ length: size }, (_, i) => ({
        event_type: 'sent',
        profile: { email: `${name}-${n % 20}-${i}@example.com` },
        idempotency_key: `${name}-${n}-${i}`,
      }));
      const { status } =
        size > 1 ? await client.post('/v1/events/bulk', { events }) : await client.post('/v1/events', events[0]);
      if (status === 201) this.acknowledged.push(...events.map(({ idempotency_key }) => idempotency_key));
      else this.refused.push(status);
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#ended;
  }
}

/** Returns the idempotency keys of a store's events, as its lists have them. */
export async function storedKeys(store: PlacedStore): Promise<string[]> {
  return (await storedEvents(store)).map(({ idempotency_key }) => idempotency_key as string);
}

/** Returns a property of a store's events of a type. */
export async function storedProperties(store: PlacedStore, type: string, property: string): Promise<unknown[]> {
  return (await storedEvents(store, `&event_type=${type}`)).map(({ properties }) => properties[property]);
}

async function storedEvents({ client }: PlacedStore, filter = ''): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await client.get(`/v1/events?limit=100${filter}${cursor}`, { expect: 200 });
    events.push(...body.events);
    if (body.next_cursor === null) return events;
    cursor = `&cursor=${body.next_cursor}`;
  }
}
