import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely';
import type { PoolClient } from 'pg';
import { type FindPlacement, type Placement, type Placements, ShardMoved } from './placements.ts';

/** Postgres's number for it: it excludes those who move the shard, not those who write to it. */
const SHARE_LOCK = 5;
/** What is not an integer fails with a message that quotes it. */
const MOVED = 'moved';
/** Where the node itself has a shard, by its id. */
const PLACED = 'from pg_dist_placement join pg_dist_local_group using (groupid) where shardid';
/** Placements that a statement is tried at, when shards move while it waits. */
const MAX_PLACES = 4;

export interface ShardDriverOptions {
  placements: Placements;
  find: FindPlacement;
  /** Takes a connection to a node. */
  connect: (url: string) => Promise<PoolClient>;
}

/**
 * Runs the statements of a store on the node that has its shards, under their names, so that Postgres plans and commits
 * them as it does without Citus: a commit concerns one node, which says whether it happened.
 *
 * Every transaction shares the lock that Citus takes to move a shard, and has seen under the lock that the shard is
 * there: nothing is ever written to where a shard was before. What is only read is read in a snapshot that has the shard
 * there.
 */
export class ShardDriver implements Driver {
  readonly #options: ShardDriverOptions;

  constructor(options: ShardDriverOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ShardConnection> {
    const connection = new ShardConnection(this.#options);
    await connection.connect();
    return connection;
  }

  async beginTransaction(connection: ShardConnection, settings: TransactionSettings): Promise<void> {
    await connection.begin(settings);
  }

  async commitTransaction(connection: ShardConnection): Promise<void> {
    await connection.end('commit');
  }

  async rollbackTransaction(connection: ShardConnection): Promise<void> {
    await connection.end('rollback');
  }

  async releaseConnection(connection: ShardConnection): Promise<void> {
    connection.release();
  }

  /** The pools are not its own. */
  async destroy(): Promise<void> {}
}

class ShardConnection implements DatabaseConnection {
  readonly #options: ShardDriverOptions;
  #place!: Placement;
  #client: PoolClient | undefined;
  #isInTransaction = false;

  constructor(options: ShardDriverOptions) {
    this.#options = options;
  }

  async connect(): Promise<void> {
    const { find, connect } = this.#options;
    this.#place = await find();
    this.#client = await connect(this.#place.url);
  }

  release(): void {
    this.#client?.release();
    this.#client = undefined;
  }

  async begin(settings: TransactionSettings): Promise<void> {
    if (settings.isolationLevel ?? settings.accessMode) throw new Error('Transactions of stores have no settings');
    await this.#whereItIs(async () => {
      await firstFailure(this.#begin()).catch(async (error) => {
        await this.#run('rollback').catch(() => {});
        throw error;
      });
    });
    this.#isInTransaction = true;
  }

  async end(how: 'commit' | 'rollback'): Promise<void> {
    this.#isInTransaction = false;
    await this.#run(how);
  }

  async executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const names = await this.#options.placements.names();
    const named = () => names.apply(text, (table) => this.#place.shards.get(table) as string);
    if (this.#isInTransaction) return this.#execute(named(), parameters);
    return this.#whereItIs(() =>
      names.writes(text) ? this.#commit(named(), parameters) : this.#read(named(), parameters),
    );
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed
  async *streamQuery<Row>(): AsyncGenerator<QueryResult<Row>> {
    throw new Error('Statements of stores are not streamed');
  }

  async #read<Row>(text: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const isHere = `exists (select ${PLACED} = ${this.#place.shardId})`;
    const result = await this.#execute<Row>(`select * from (${text}) as found where ${isHere}`, parameters);
    if (result.rows.length === 0) await this.#expectHere();
    return result;
  }

  /** Runs a statement in a transaction of its own, sent at once: what follows on a failure fails as well. */
  async #commit<Row>(text: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const begun = this.#begin();
    const executed = this.#execute<Row>(text, parameters);
    const ended = this.#run('commit');
    await firstFailure([...begun, executed, ended]);
    return executed;
  }

  /**
   * Begins a transaction that holds the shard where it is. The check is a statement after that which waits for the lock:
   * only so does it see what was committed meanwhile.
   */
  #begin(): Promise<unknown>[] {
    const { shardId } = this.#place;
    return [
      this.#run('begin'),
      this.#execute('select lock_shard_metadata($1, array[$2::bigint])', [SHARE_LOCK, shardId]),
      this.#expectHere(),
    ];
  }

  /** Fails if the node does not have the shard. */
  #expectHere(): Promise<unknown> {
    return this.#execute(`select (case when count(*) = 0 then '${MOVED}' else '0' end)::int ${PLACED} = $1`, [
      this.#place.shardId,
    ]);
  }

  async #execute<Row>(text: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    const { rows, rowCount } = await (this.#client as PoolClient).query(text, [...parameters]);
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async #run(text: string): Promise<void> {
    await (this.#client as PoolClient).query(text);
  }

  /** Does something outside of a transaction, and again where the shard is now if it is not there. */
  async #whereItIs<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let places = 1; ; places += 1) {
      try {
        return await work();
      } catch (error) {
        if (!isMoved(error)) throw error;
        if (places === MAX_PLACES) throw new ShardMoved('The shard is not where it should be', { cause: error });
        this.release();
        await this.#options.placements.refresh();
        await this.connect();
      }
    }
  }
}

/** Waits for all of it; throws the first failure in their order, of which the others are consequences. */
async function firstFailure(all: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(all)) if (outcome.status === 'rejected') throw outcome.reason;
}

function isMoved(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string };
  // Once nobody needs the shard any more, Citus drops it.
  return code === '42P01' || (code === '22P02' && message?.includes(`"${MOVED}"`) === true);
}
