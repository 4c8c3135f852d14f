import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { nextRun } from '../concurrency/next-run.ts';
import { isStatementError } from './driver-errors.ts';
import { type Database, openDatabase, SETTINGS_OF_REPLICA, type Sql } from './orm.ts';

/** Milliseconds that a read waits for the replica to have what was committed before; and between two looks at it. */
const MAX_WAIT_MS = 100;
const LOOK_MS = 5;

/**
 * A standby of the database, for reading. It is used only once it has all that was committed when a request came, on
 * whichever process: so every response shows what an earlier one has promised.
 */
export class Replica {
  readonly #primary: Sql;
  readonly #reads: Database;
  readonly #looks: Database;
  readonly #committed: () => Promise<number>;
  readonly #look: () => Promise<number>;
  /** As far as is known. */
  #replayed = 0;
  #isUp = false;
  #lagSeconds = 0;

  private constructor(primary: Sql, reads: Database, looks: Database) {
    this.#primary = primary;
    this.#reads = reads;
    this.#looks = looks;
    this.#committed = nextRun(() => positionOf(primary, sql`pg_current_wal_flush_lsn()`));
    this.#look = nextRun(() =>
      positionOf(looks.sql, sql`case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end`),
    );
  }

  /** It is not used before it has been checked. */
  static async open(url: string, connections: number, primary: Sql): Promise<Replica> {
    const reads = await openDatabase(url, connections, SETTINGS_OF_REPLICA);
    return new Replica(primary, reads, await openDatabase(url, 1, SETTINGS_OF_REPLICA));
  }

  get database(): Database {
    return this.#reads;
  }

  /** Whether reads may use it. */
  get isUp(): boolean {
    return this.#isUp;
  }

  /** How far it was behind at the last check. */
  get lagSeconds(): number {
    return this.#lagSeconds;
  }

  /** Waits a moment until it has all that is committed; if it does not, it is not used until it has been checked. */
  async hasCaughtUp(): Promise<boolean> {
    if (!this.#isUp) return false;
    try {
      this.#isUp = await this.#catchUp();
    } catch {
      this.#isUp = false;
    }
    return this.#isUp;
  }

  /** Has the primary asked instead, after a read has failed. */
  noteFailure(error: unknown): void {
    // One query may have been cancelled, for what it took or what was replayed.
    if (!isStatementError(error)) this.#isUp = false;
  }

  /** Finds out whether it can be used. Throws the reason if it can't. */
  async check(): Promise<void> {
    try {
      const [own, other] = await Promise.all([systemOf(this.#looks.sql), systemOf(this.#primary)]);
      if (own !== other) throw new Error('DATABASE_REPLICA_URL names no standby of the database');
      this.#isUp = await this.#catchUp();
      this.#lagSeconds = this.#isUp ? 0 : await this.#measureLag();
    } catch (error) {
      this.#isUp = false;
      throw error;
    }
    if (!this.#isUp) throw new Error(`The replica is ${this.#lagSeconds} seconds behind`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#reads.close(), this.#looks.close()]);
  }

  async #catchUp(): Promise<boolean> {
    const committed = await this.#committed();
    const end = performance.now() + MAX_WAIT_MS;
    while (this.#replayed < committed) {
      this.#replayed = await this.#look();
      if (this.#replayed >= committed) break;
      if (performance.now() > end) return false;
      await sleep(LOOK_MS);
    }
    return true;
  }

  async #measureLag(): Promise<number> {
    const { rows } = await sql<{ seconds: number | null }>`
      select extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as seconds`.execute(this.#looks.sql);
    return rows[0]?.seconds ?? 0;
  }
}

/** Returns a position in the log as a number of bytes. */
async function positionOf(db: Sql, lsn: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ position: number | null }>`
    select pg_wal_lsn_diff(${lsn}, '0/0')::float8 as position`.execute(db);
  const position = rows[0]?.position ?? null;
  if (position === null) throw new Error('DATABASE_REPLICA_URL names no standby');
  return position;
}

/** Returns what a server and its standbys have in common. */
async function systemOf(db: Sql): Promise<string> {
  const { rows } = await sql<{ system: string }>`
    select system_identifier::text as system from pg_control_system()`.execute(db);
  return rows[0]?.system as string;
}
