import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * A lock on a file, between processes and within one: either shared or exclusive. It uses SQLite's locks on a database
 * (which stays empty), because they are proven everywhere, and the kernel releases them however the process exits.
 */
export class FileLock {
  readonly #database: DatabaseSync;

  private constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Returns undefined if the lock is not available now. */
  static try(file: string, mode: 'shared' | 'exclusive'): FileLock | undefined {
    // Only for its owner: whoever can read the file could hold the lock. An existing file is not opened: closing it
    // again would release the locks that this process has.
    if (existsSync(file)) chmodSync(file, 0o600);
    else closeSync(openSync(file, 'a', 0o600));
    const database = new DatabaseSync(file, { timeout: 0 });
    try {
      // In memory: a full disk must not keep anything from stopping.
      database.exec('pragma journal_mode = memory');
      database.exec(mode === 'shared' ? 'begin; select * from sqlite_schema' : 'begin exclusive');
      return new FileLock(database);
    } catch (error) {
      database.close();
      if (error instanceof Error && error.message === 'database is locked') return undefined;
      throw error;
    }
  }

  /** Waits for the lock; undefined if it is not available in time. */
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
