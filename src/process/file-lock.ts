import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * A lock on a file, between processes and within one: many shared ones, or one that is exclusive. It is SQLite's way of
 * locking a database (which stays empty), because that is proven everywhere, and the kernel undoes it when the process
 * ends, in whichever way.
 */
export class FileLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Undefined where the lock can't be had at the moment. */
  static try(file: string, mode: 'shared' | 'exclusive'): FileLock | undefined {
    // For its owner alone: whoever can read it could hold the lock. Not opened where it is there already: closing it
    // again would undo the locks that this process has.
    if (existsSync(file)) chmodSync(file, 0o600);
    else closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file, { timeout: 0 });
    try {
      // In memory: a disk that is full must not keep anybody from stopping.
      database.exec('pragma journal_mode = memory');
      database.exec(mode === 'shared' ? 'begin; select * from sqlite_schema' : 'begin exclusive');
      return new FileLock(database);
    } catch (error) {
      database.close();
      if (error instanceof Error && error.message === 'database is locked') return undefined;
      throw error;
    }
  }

  /** Waits for the lock; undefined where it can't be had in time. */
  static async wait(file: string, mode: 'shared' | 'exclusive', patienceMs: number): Promise<FileLock | undefined> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const lock = FileLock.try(file, mode);
      if (lock || performance.now() > deadline) return lock;
      await sleep(POLL_MS);
    }
  }

  release(): void {
    this.#database.close();
  }
}
