import { every } from '../concurrency/repeat-every.ts';

/** What was opened, in order, to be released in reverse order. */
export class Releasers {
  readonly #releasers: (() => unknown)[] = [];

  push(release: () => unknown): void {
    this.#releasers.push(release);
  }

  /** Runs a task now and then, until the release, which waits for a run under way. */
  every(ms: number, task: () => Promise<unknown>): void {
    this.push(every(ms, task));
  }

  /** Releases all of it, also where something of it can't be released: the first such failure is thrown at the end. */
  async release(): Promise<void> {
    const failures: unknown[] = [];
    for (let next = this.#releasers.pop(); next; next = this.#releasers.pop()) {
      try {
        await next();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Runs something that opens resources; where it fails, what it had opened is released again. */
export async function opening<Result>(open: (releasers: Releasers) => Promise<Result>): Promise<Result> {
  const releasers = new Releasers();
  try {
    return await open(releasers);
  } catch (error) {
    // The first failure is the one to tell.
    await releasers.release().catch(() => {});
    throw error;
  }
}
