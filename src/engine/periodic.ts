import { repeatEvery } from '../concurrency/repeat-every.ts';
import type { Sql } from '../db/sql.ts';
import type { StoreData } from '../db/store-data.ts';
import type { Log } from '../process/log.ts';
import { logFailuresOnce } from '../process/log-failures-once.ts';

/** What a process does every so often; safe in several processes at once. */
export interface PeriodicTask {
  /** What the log says if it fails, once until it succeeds again. */
  failure: string;
  everyMs: number;
  /** `start`: it is run at first, too, and waited for. `end`: it is run once more when it is stopped. */
  alsoAt?: 'start' | 'end' | undefined;
  run(): Promise<unknown>;
}

/** What is done with the data of all stores every so often: a sum, or a deletion. */
export interface DataTask extends Omit<PeriodicTask, 'run'> {
  /** The table without whose rows a part of the data is left out; with a condition perhaps. */
  rows?: string;
  /** Milliseconds after which a run leaves the rest to the next one: for all of the data, and for each part of it. */
  forMs?: number;
  forMsOfEach?: number;
  /** `until` is by `performance.now()`. */
  run(db: Sql, until: number): Promise<void>;
}

export function onData(
  stores: Pick<StoreData, 'each'>,
  { run, rows, forMs = Number.POSITIVE_INFINITY, forMsOfEach = Number.POSITIVE_INFINITY, ...task }: DataTask,
): PeriodicTask {
  return {
    ...task,
    run() {
      const end = performance.now() + forMs;
      return stores.each((db) => run(db, Math.min(end, performance.now() + forMsOfEach)), rows);
    },
  };
}

/** Runs all that a process does every so often. */
export class Periodic {
  readonly #log: Log;
  readonly #stops: (() => Promise<void>)[] = [];

  constructor(log: Log) {
    this.#log = log;
  }

  /** Has tasks run from now on. */
  async start(...tasks: readonly PeriodicTask[]): Promise<void> {
    for (const task of tasks) {
      const run = logFailuresOnce(this.#log, task.failure, async () => task.run());
      if (task.alsoAt === 'start') await run();
      const stop = repeatEvery(task.everyMs, run);
      this.#stops.push(task.alsoAt === 'end' ? () => stop().then(run) : stop);
    }
  }

  /** Waits for what is under way. */
  async stop(): Promise<void> {
    await Promise.all(this.#stops.map((stop) => stop()));
  }
}
