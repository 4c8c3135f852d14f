import { Worker } from 'node:worker_threads';
import type { Log } from '../process/log.ts';
import {
  BEGUN,
  CURRENT,
  type FromTaskThread,
  IDLE,
  type TaskBatch,
  type TaskResult,
  type TaskThreadSetup,
} from './task-messages.ts';
import { ThreadEnded } from './thread.ts';

/** How often a task is looked at, in the time that it may take. */
const LOOKS = 20;
/** Megabytes for what has just been allocated: with more, they take no less time. */
const YOUNG_MEMORY = 24;

export interface WatchedThreadOptions {
  /** For the log, and for what shows the threads of a process. */
  name: string;
  /** Calls `serveTasks`. */
  module: URL;
  log: Log;
  /** Megabytes of heap that it may use; if it needs more it is terminated, and the process goes on. */
  maxMemory: number;
  /** Milliseconds that one task may take; then the thread is terminated, whatever it does. */
  taskMs: number;
  /** Milliseconds without a task after which it ends; absent: it stays. */
  idleMs?: number | undefined;
}

/** By the index of the task; those that were not performed have none. */
export type Results<Answer> = (TaskResult<Answer> | undefined)[];

interface Running<Answer> {
  worker: Worker;
  progress: Int32Array<SharedArrayBuffer>;
  ready: Promise<void>;
  /** The batch that it works on. */
  pending: PromiseWithResolvers<Results<Answer>> | undefined;
}

/**
 * A thread for work of which nobody knows how long it takes, as that of templates. A task that takes too long ends with its
 * thread, and the next batch has another thread.
 */
export class WatchedThread<Task, Answer> {
  readonly #options: WatchedThreadOptions;
  #running: Running<Answer> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isStopping = false;
  #usedMs = 0;

  constructor(options: WatchedThreadOptions) {
    this.#options = options;
  }

  /**
   * Performs tasks until `budgetMs` milliseconds have passed, but one at least, and returns what they came to. Where one of
   * them ended the thread, only that has a result: what others came to is lost. One batch at a time. Rejects with
   * `ThreadEnded` if the thread ends for another reason.
   */
  async run(tasks: readonly Task[], budgetMs: number): Promise<Results<Answer>> {
    if (this.#isStopping) throw this.#hasEnded();
    clearTimeout(this.#idle);
    this.#running ??= this.#start();
    const running = this.#running;
    await running.ready;
    const pending = Promise.withResolvers<Results<Answer>>();
    running.pending = pending;
    this.#usedMs = 0;
    const batch: TaskBatch<Task> = { tasks, budgetMs };
    running.worker.postMessage(batch);
    const watch = this.#watch(running);
    try {
      return await pending.promise;
    } finally {
      clearInterval(watch);
      this.#endWhenIdle();
    }
  }

  /** Milliseconds of CPU that the batch took which was performed last. */
  get usedMs(): number {
    return this.#usedMs;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#idle);
    await this.#running?.worker.terminate();
  }

  #start(): Running<Answer> {
    const { name, module, maxMemory, log } = this.#options;
    const setup: TaskThreadSetup = { progress: new SharedArrayBuffer(8) };
    const resourceLimits = { maxOldGenerationSizeMb: maxMemory, maxYoungGenerationSizeMb: YOUNG_MEMORY };
    const worker = new Worker(module, { name, workerData: setup, resourceLimits });
    const ready = Promise.withResolvers<void>();
    const progress = new Int32Array(setup.progress);
    Atomics.store(progress, CURRENT, IDLE);
    const running: Running<Answer> = { worker, progress, ready: ready.promise, pending: undefined };
    worker.on('message', (message: FromTaskThread<Answer>) => {
      if (message.kind === 'ready') ready.resolve();
      else {
        this.#usedMs = message.usedMs;
        take(running)?.resolve(message.results);
      }
    });
    worker.on('error', (err) => log.error({ err, thread: name }, 'a thread failed'));
    worker.once('exit', () => {
      if (this.#running === running) this.#running = undefined;
      ready.reject(this.#hasEnded());
      // As for want of memory.
      if (Atomics.load(progress, CURRENT) === IDLE || this.#isStopping) take(running)?.reject(this.#hasEnded());
      else blame(running, { failed: 'thread_ended', reason: 'Its thread ended' });
    });
    return running;
  }

  /** Counts looks rather than time: where the whole process does not get on, the task is not to blame. */
  #watch(running: Running<Answer>): NodeJS.Timeout {
    const { taskMs, name, log } = this.#options;
    const { progress, worker } = running;
    let seen = -1;
    let looks = 0;
    return setInterval(() => {
      const begun = Atomics.load(progress, BEGUN);
      looks = begun === seen && Atomics.load(progress, CURRENT) !== IDLE ? looks + 1 : 0;
      seen = begun;
      if (looks < LOOKS) return;
      log.warn({ thread: name }, 'a task takes too long, and its thread is terminated');
      if (this.#running === running) this.#running = undefined;
      blame(running, { failed: 'too_slow', reason: `It took longer than ${taskMs} ms` });
      void worker.terminate();
    }, taskMs / LOOKS).unref();
  }

  #endWhenIdle(): void {
    const { idleMs } = this.#options;
    if (idleMs === undefined) return;
    const end = () => {
      const running = this.#running;
      this.#running = undefined;
      void running?.worker.terminate();
    };
    this.#idle = setTimeout(end, idleMs).unref();
  }

  #hasEnded(): ThreadEnded {
    return new ThreadEnded(`The thread for ${this.#options.name} has ended`);
  }
}

function take<Answer>(running: Running<Answer>): Running<Answer>['pending'] {
  const { pending } = running;
  running.pending = undefined;
  return pending;
}

/** Ends a batch with a result for the task that is worked on. */
function blame<Answer>(running: Running<Answer>, result: TaskResult<Answer>): void {
  const results: Results<Answer> = [];
  results[Atomics.load(running.progress, CURRENT)] = result;
  take(running)?.resolve(results);
}
