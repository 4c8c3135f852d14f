import { Overruns } from './overruns.ts';
import type { TaskResult } from './task-messages.ts';
import { ThreadEnded } from './thread.ts';
import { type Results, WatchedThread, type WatchedThreadOptions } from './watched-thread.ts';

/** Milliseconds that a store has the thread for, if others wait for it. */
const TURN_MS = 50;
/** Tasks that are sent to the thread at once: at first, and at most. As many as it may be able to do in a turn are enough. */
const [FIRST_TASKS, MAX_TASKS] = [32, 256];
/** How often a batch is tried whose thread ended before anything was done. */
const MAX_ATTEMPTS = 3;
/** Tasks of one call that may take too long before all others are taken for the same. */
const MAX_SLOW = 2;
/** Milliseconds for which a store with a task that ended its thread, or with many slow ones, waits for others like it alone. */
const APART_MS = 10 * 60_000;

interface Job<Task, Answer> {
  tasks: readonly Task[];
  results: Results<Answer>;
  /** How many of them are sent in the next turn. */
  next: number;
  attempts: number;
  slow: number;
  finished: PromiseWithResolvers<TaskResult<Answer>[]>;
}

/** A thread, and who waits for it. */
class Lane<Task, Answer> {
  readonly thread: WatchedThread<Task, Answer>;
  /** Stores in the order of their turns, with their jobs. */
  readonly waiting = new Map<string, Job<Task, Answer>[]>();
  isBusy = false;

  constructor(options: WatchedThreadOptions) {
    this.thread = new WatchedThread(options);
  }

  add(storeId: string, job: Job<Task, Answer>, isFirst = false): void {
    const jobs = this.waiting.get(storeId) ?? [];
    if (isFirst) jobs.unshift(job);
    else jobs.push(job);
    this.waiting.set(storeId, jobs);
  }

  /** What waits of a store goes on in another lane. */
  move(storeId: string, to: Lane<Task, Answer>): void {
    for (const job of this.waiting.get(storeId) ?? []) to.add(storeId, job);
    this.waiting.delete(storeId);
  }
}

/**
 * Performs tasks of stores in a watched thread, in turns. A store whose task ended it, by taking too long or too much memory,
 * or whose tasks take longer than its turns time and again, goes on in a second thread for a while, with others like it, so
 * that it has no more of the first.
 */
export class FairThreads<Task, Answer> {
  readonly #usual: Lane<Task, Answer>;
  readonly #apart: Lane<Task, Answer>;
  /** Until when stores are apart, by `performance.now()`. */
  readonly #apartUntil = new Map<string, number>();
  readonly #overruns = new Overruns(TURN_MS);
  /** Milliseconds that a store may owe before it goes on apart. */
  readonly #mostOwed: number;
  #isStopping = false;

  constructor(options: WatchedThreadOptions) {
    this.#mostOwed = options.taskMs / 2;
    this.#usual = new Lane(options);
    this.#apart = new Lane({ ...options, name: `${options.name}, slow`, idleMs: options.idleMs ?? 30_000 });
  }

  /** Returns what each task came to, in their order. Rejects with `ThreadEnded` if the threads are ended or do not start. */
  async run(storeId: string, tasks: readonly Task[]): Promise<TaskResult<Answer>[]> {
    if (tasks.length === 0) return [];
    if (this.#isStopping) throw new ThreadEnded('The threads have ended');
    const finished = Promise.withResolvers<TaskResult<Answer>[]>();
    const lane = this.#laneOf(storeId);
    const results = tasks.map(() => undefined);
    lane.add(storeId, { tasks, results, next: FIRST_TASKS, attempts: 0, slow: 0, finished });
    void this.#work(lane);
    return finished.promise;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#usual.thread.stop(), this.#apart.thread.stop()]);
    for (const { waiting } of [this.#usual, this.#apart]) {
      for (const { finished } of [...waiting.values()].flat())
        finished.reject(new ThreadEnded('The threads have ended'));
      waiting.clear();
    }
  }

  #laneOf(storeId: string): Lane<Task, Answer> {
    const until = this.#apartUntil.get(storeId);
    if (until === undefined) return this.#usual;
    if (until > performance.now()) return this.#apart;
    this.#apartUntil.delete(storeId);
    return this.#usual;
  }

  async #work(lane: Lane<Task, Answer>): Promise<void> {
    if (lane.isBusy) return;
    lane.isBusy = true;
    for (;;) {
      const [next] = lane.waiting;
      if (!next || this.#isStopping) break;
      const [storeId, [job, ...others]] = next;
      lane.waiting.delete(storeId);
      for (const other of others) lane.add(storeId, other);
      if (job) await this.#turn(lane, storeId, job);
    }
    lane.isBusy = false;
  }

  async #turn(lane: Lane<Task, Answer>, storeId: string, job: Job<Task, Answer>): Promise<void> {
    const left = [...job.results.keys()].filter((i) => job.results[i] === undefined).slice(0, job.next);
    try {
      const results = await lane.thread.run(
        left.map((i) => job.tasks[i] as Task),
        this.#overruns.turnOf(storeId, performance.now()),
      );
      for (const [n, i] of left.entries()) job.results[i] = results[n];
      job.attempts = 0;
      job.next = Math.min(MAX_TASKS, 2 * results.length);
      this.#judge(storeId, job, results, lane.thread.usedMs);
    } catch (error) {
      job.attempts += 1;
      if (job.attempts >= MAX_ATTEMPTS || this.#isStopping) return job.finished.reject(error);
    }
    const next = this.#laneOf(storeId);
    if (isWhole(job.results)) job.finished.resolve(job.results);
    else next.add(storeId, job, true);
    if (next === lane) return;
    lane.move(storeId, next);
    void this.#work(next);
  }

  #judge(storeId: string, job: Job<Task, Answer>, results: Results<Answer>, usedMs: number): void {
    const failures = results.flatMap((result) => (result && 'failed' in result ? [result.failed] : []));
    const owed = this.#overruns.note(storeId, usedMs, performance.now());
    const isOverdrawn = owed > this.#mostOwed;
    if (!isOverdrawn && failures.every((failed) => failed === 'error')) return;
    this.#overruns.forget(storeId);
    this.#apartUntil.set(storeId, performance.now() + APART_MS);
    job.slow += failures.filter((failed) => failed === 'too_slow').length;
    if (job.slow < MAX_SLOW) return;
    const slow: TaskResult<Answer> = { failed: 'too_slow', reason: 'Others of its kind took too long' };
    job.results = job.results.map((result) => result ?? slow);
  }
}

function isWhole<Answer>(results: Results<Answer>): results is TaskResult<Answer>[] {
  return results.every((result) => result !== undefined);
}
