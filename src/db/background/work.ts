import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Client } from 'pg';
import { isDeadlock, isLockTimeout } from '../driver-errors.ts';
import type { Sql } from '../sql.ts';

/** What is needed to make an index: `create index name on table columns where …`. */
export interface IndexDefinition {
  table: string;
  name: string;
  columns: string;
  where: string;
}

/**
 * Milliseconds to wait for a lock that keeps others waiting, whoever comes meanwhile waits behind it; and between two
 * attempts to get it.
 */
const [LOCK_TIMEOUT_MS, LOCK_RETRY_MS] = [300, 1_000];

export interface WorkOptions {
  db: Sql;
  /** For statements that take long, or can't be in a transaction. Behind a pooler, what is set on it would stay for others. */
  client: Client;
  isDistributed: boolean;
  /** Says how much is done, of how much. */
  report(done: number, total: number): Promise<void>;
  /** Has the log say something. */
  note(message: string): void;
  signal: AbortSignal;
}

/** How a background migration changes the schema while others read and write. */
export class Work {
  readonly #options: WorkOptions;

  constructor(options: WorkOptions) {
    this.#options = options;
  }

  /** Runs a statement that needs a lock in the way of others, but not for long. Waits for it a moment, again and again. */
  async briefly(statement: string): Promise<void> {
    const { db, signal } = this.#options;
    for (;;) {
      try {
        return await db.transaction().execute(async (tx) => {
          await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx);
          await sql.raw(statement).execute(tx);
        });
      } catch (error) {
        if (!isLockTimeout(error) && !isDeadlock(error)) throw error;
        await sleep(LOCK_RETRY_MS, undefined, { signal });
      }
    }
  }

  /** Has the log say what an operator may want to know. */
  note(message: string): void {
    this.#options.note(message);
  }

  async hasSchema(name: string): Promise<boolean> {
    const { rows } = await sql`select from pg_namespace where nspname = ${name}`.execute(this.#options.db);
    return rows.length > 0;
  }

  /** Waits for some milliseconds. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#options.signal });
  }

  /** Does something with the rows of each store, in transactions that are short. */
  async inEachStore(run: (db: Sql, storeId: string, signal: AbortSignal) => Promise<void>): Promise<void> {
    const { db, report, signal } = this.#options;
    const { rows } = await sql<{ id: string }>`select id from store order by id`.execute(db);
    for (const [n, { id }] of rows.entries()) {
      await report(n, rows.length);
      await run(db, id, signal);
    }
  }

  /** Runs a statement that takes long, and is in nobody's way. */
  async atLength(statement: string): Promise<void> {
    this.#options.signal.throwIfAborted();
    await this.#options.client.query(statement);
  }

  async createIndex({ table, name, columns, where }: IndexDefinition): Promise<void> {
    // Citus makes it on all nodes in one go.
    if (this.#options.isDistributed) {
      await this.atLength(`create index if not exists ${name} on ${table} ${columns} where ${where}`);
      return;
    }
    const isValid = await this.#isValid(name);
    if (isValid) return;
    // It was left unfinished.
    if (isValid === false) await this.briefly(`drop index if exists ${name}`);
    await this.atLength(`create index concurrently ${name} on ${table} ${columns} where ${where}`);
  }

  /** One partition after the other; those that are created meanwhile have it. */
  async createPartitionedIndex(index: IndexDefinition): Promise<void> {
    const { table, name, columns, where } = index;
    if (this.#options.isDistributed) return this.createIndex(index);
    await this.briefly(`create index if not exists ${name} on only ${table} ${columns} where ${where}`);
    const { partitions, attached } = await this.#partitionsOf(table, name);
    const left = partitions.filter((partition) => !attached.includes(partition));
    for (const [n, partition] of left.entries()) {
      await this.#options.report(attached.length + n, partitions.length);
      const part = `${partition}_${name}`;
      await this.createIndex({ table: partition, name: part, columns, where });
      await this.briefly(`alter index ${name} attach partition ${part}`);
    }
  }

  /** Undefined if there is no such index. */
  async #isValid(name: string): Promise<boolean | undefined> {
    const { rows } = await sql<{ isValid: boolean }>`
      select indisvalid as "isValid" from pg_index where indexrelid = to_regclass(${name})`.execute(this.#options.db);
    return rows[0]?.isValid;
  }

  /** The partitions of a table, and those that have their part of an index. */
  async #partitionsOf(table: string, index: string): Promise<{ partitions: string[]; attached: string[] }> {
    const { rows } = await sql<{ name: string; isAttached: boolean }>`
      select p.inhrelid::regclass::text as name, exists (
        select from pg_inherits i join pg_index x on x.indexrelid = i.inhrelid
        where i.inhparent = ${index}::regclass and x.indrelid = p.inhrelid
      ) as "isAttached"
      from pg_inherits p where p.inhparent = ${table}::regclass
      order by 1`.execute(this.#options.db);
    return {
      partitions: rows.map(({ name }) => name),
      attached: rows.flatMap(({ name, isAttached }) => (isAttached ? [name] : [])),
    };
  }
}
