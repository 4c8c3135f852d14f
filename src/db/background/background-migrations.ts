import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Log } from '../../process/log.ts';
import type { Address } from '../orm.ts';
import type { Sql } from '../sql.ts';
import { BACKGROUND_MIGRATIONS, type BackgroundMigration } from './migrations.ts';
import {
  type BackgroundState,
  completeMigration,
  keepTaken,
  LEASE_MS,
  leaveMigration,
  readBackgroundStates,
  reportProgress,
  takeMigration,
} from './states.ts';
import { Work } from './work.ts';

export type SchemaProgress = Pick<BackgroundMigrations, 'isComplete'>;

const NAMES = BACKGROUND_MIGRATIONS.map(({ name }) => name);

/**
 * Does in the background what takes long of a new schema, in one of the processes at a time. What was interrupted, or has
 * failed, is tried again by whichever process comes first.
 */
export class BackgroundMigrations {
  readonly #db: Sql;
  readonly #address: Address;
  readonly #log: Log;
  #states: BackgroundState[] = [];
  #stop = new AbortController();

  private constructor(db: Sql, address: Address, log: Log) {
    this.#db = db;
    this.#address = address;
    this.#log = log;
  }

  static async open(db: Sql, address: Address, log: Log): Promise<BackgroundMigrations> {
    const migrations = new BackgroundMigrations(db, address, log);
    migrations.#states = await readBackgroundStates(db);
    return migrations;
  }

  /** Whether what a migration makes can be relied on. */
  isComplete({ name }: BackgroundMigration): boolean {
    return this.#states.some((state) => state.name === name && state.status === 'complete');
  }

  /** Those that are not complete, as far as this process knows them. */
  get pending(): BackgroundState[] {
    return this.#states.filter(({ name, status }) => status !== 'complete' && NAMES.includes(name));
  }

  /** Runs those that it is time for, one after the other, unless another process does. */
  async tick(): Promise<void> {
    while (this.pending.length > 0 && !this.#stop.signal.aborted) {
      const takenBy = randomUUID();
      const name = await takeMigration(this.#db, this.#ready, takenBy);
      if (name !== undefined) await this.#run(name, takenBy);
      this.#states = await readBackgroundStates(this.#db);
      if (name === undefined) break;
    }
  }

  /** The names of those that no other one has to come before. */
  get #ready(): string[] {
    const ready = BACKGROUND_MIGRATIONS.filter(({ after = [] }) => after.every((one) => this.isComplete(one)));
    return ready.map(({ name }) => name);
  }

  /** Ends what is running; the next process goes on with it. */
  stop(): void {
    this.#stop.abort();
  }

  async #run(name: string, takenBy: string): Promise<void> {
    const migration = BACKGROUND_MIGRATIONS.find((one) => one.name === name) as BackgroundMigration;
    const start = performance.now();
    this.#log.info({ migration: name }, 'a migration begins in the background');
    try {
      await this.#perform(migration, takenBy);
    } catch (err) {
      const isStopped = this.#stop.signal.aborted;
      await leaveMigration(this.#db, name, takenBy, isStopped ? null : String((err as Error).message));
      if (isStopped) return;
      this.#log.warn({ err, migration: name }, 'a migration in the background has failed, and will be tried again');
      return;
    }
    await completeMigration(this.#db, name, takenBy);
    const seconds = Math.round((performance.now() - start) / 1000);
    this.#log.info({ migration: name, seconds }, 'a migration in the background is complete');
  }

  async #perform({ name, run }: BackgroundMigration, takenBy: string): Promise<void> {
    const { url, isDistributed } = this.#address;
    // By its name it is found to be cancelled: behind a pooler a connection has no number of its own.
    const client = new pg.Client({ connectionString: url, application_name: `footfall ${takenBy}`, keepAlive: true });
    client.on('error', () => {});
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, this.#stop.signal]);
    let cancelling: Promise<unknown> | undefined;
    const end = () => {
      cancelling = cancel(this.#db, takenBy);
    };
    signal.addEventListener('abort', end);
    const keep = setInterval(async () => {
      const isTaken = await keepTaken(this.#db, name, takenBy).catch(() => true);
      if (!isTaken) over.abort(new Error('Another process has taken it over'));
    }, LEASE_MS / 3);
    try {
      await client.connect();
      const report = (done: number, total: number) => reportProgress(this.#db, name, done, total);
      const note = (message: string) => this.#log.info({ migration: name }, message);
      await run(new Work({ db: this.#db, client, isDistributed, report, note, signal }));
    } finally {
      clearInterval(keep);
      signal.removeEventListener('abort', end);
      await cancelling;
      await Promise.race([client.end(), sleep(1_000)]);
    }
  }
}

async function cancel(db: Sql, takenBy: string): Promise<void> {
  await sql`
    select pg_cancel_backend(pid) from pg_stat_activity where application_name = ${`footfall ${takenBy}`}`
    .execute(db)
    .catch(() => {});
}
