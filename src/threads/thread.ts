import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { forwardLine, type Log } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import type { FromThread, ThreadSetup, ToThread } from './messages.ts';

/** Milliseconds between two pings, and how many may go unanswered before a thread is terminated. */
const PING_MS = 1_000;
const MAX_MISSED = 20;
/** Milliseconds for a thread to exit by itself. */
const STOP_MS = 5_000;
/** Milliseconds before a thread that exited by itself is restarted; doubles with each failure. */
const RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;

/** Megabytes for what has just been allocated: as much as the main thread has, whose flag names a third of it. */
const YOUNG_MEMORY = 48;

// Each thread reads the flag when it starts, and would take it for its limit. The main thread has done so.
setFlagsFromString('--max-semi-space-size=0');

export interface ThreadOptions<Data, Notice> {
  /** For the log: `bulk jobs`. */
  name: string;
  /** Calls `serveThread`. Its extension is that of the module that names it: `.ts` here, and `.js` in a release. */
  module: URL;
  data: Data;
  log: Log;
  /** Megabytes of heap that it may use; if it needs more it is terminated, and the process goes on. */
  maxMemory: number;
  /** Megabytes besides, for what has just been allocated. */
  youngMemory?: number;
  onNotice?: (notice: Notice) => void;
}

/** The thread ended before it responded. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/**
 * A thread of this process, for work that would delay requests: whatever it does, the event loop keeps running. It is
 * restarted if it exits, runs out of memory or hangs.
 */
export class Thread<Data, Question = never, Answer = never, Notice = never> {
  readonly #options: ThreadOptions<Data, Notice>;
  readonly #pending = new Map<number, PromiseWithResolvers<Answer>>();
  #lastId = 0;
  /** The current worker, once it is ready. */
  #worker: Promise<Worker>;
  #isStopping = false;

  private constructor(options: ThreadOptions<Data, Notice>) {
    this.#options = options;
    this.#worker = this.#startWorker();
  }

  /** Starts it. Rejects with a `StartError` if it can't open its resources. */
  static async start<Data, Question = never, Answer = never, Notice = never>(
    options: ThreadOptions<Data, Notice>,
  ): Promise<Thread<Data, Question, Answer, Notice>> {
    const thread = new Thread<Data, Question, Answer, Notice>(options);
    const first = await thread.#worker;
    thread.#restartAfter(first);
    return thread;
  }

  /** Sends a request to the thread once it is ready, and transfers the buffers of `transfer` to it. */
  async ask(question: Question, transfer: ArrayBuffer[] = []): Promise<Answer> {
    const worker = await this.#worker;
    this.#lastId += 1;
    const pending = Promise.withResolvers<Answer>();
    this.#pending.set(this.#lastId, pending);
    postTo(worker, { kind: 'ask', id: this.#lastId, question }, transfer);
    return pending.promise;
  }

  /** Asks it to exit, and terminates it if it does not exit in time. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const worker = await this.#worker.catch(() => undefined);
    if (!worker || worker.threadId < 0) return;
    const ended = once(worker, 'exit');
    postTo(worker, { kind: 'stop' });
    const timer = setTimeout(() => worker.terminate(), STOP_MS);
    await ended;
    clearTimeout(timer);
  }

  /** Starts a worker and waits until it is ready. */
  async #startWorker(): Promise<Worker> {
    const { name, module, data, log, maxMemory, youngMemory = YOUNG_MEMORY } = this.#options;
    const setup: ThreadSetup<Data> = { data, logLevel: log.level };
    const resourceLimits = { maxOldGenerationSizeMb: maxMemory, maxYoungGenerationSizeMb: youngMemory };
    const worker = new Worker(module, { workerData: setup, resourceLimits });
    const ready = Promise.withResolvers<Worker>();
    let missed = 0;
    const pings = setInterval(() => {
      missed += 1;
      if (missed <= MAX_MISSED) return postTo(worker, { kind: 'ping' });
      log.error({ thread: name }, 'a thread is blocked, and is terminated');
      void worker.terminate();
    }, PING_MS).unref();
    worker.on('message', (message: FromThread<Answer, Notice>) => {
      missed = 0;
      if (message.kind === 'ready') ready.resolve(worker);
      else if (message.kind === 'failed') {
        ready.reject(new StartError(`The thread for ${name}: ${message.reason}`));
        // It would wait for requests forever, next to its replacement.
        void worker.terminate();
      } else this.#receiveMessage(message);
    });
    worker.on('error', (err) => log.error({ err, thread: name }, 'a thread failed'));
    worker.once('exit', () => {
      clearInterval(pings);
      const ended = new ThreadEnded(`The thread for ${name} has ended`);
      ready.reject(ended);
      for (const { reject } of this.#pending.values()) reject(ended);
      this.#pending.clear();
    });
    return ready.promise;
  }

  #restartAfter(worker: Worker): void {
    worker.once('exit', () => {
      if (this.#isStopping) return;
      this.#worker = this.#restart();
      // Callers of `ask` see the rejection.
      this.#worker.catch(() => {});
    });
  }

  async #restart(): Promise<Worker> {
    const { name, log } = this.#options;
    for (let ms = RESTART_MS; !this.#isStopping; ms = Math.min(2 * ms, MAX_RESTART_MS)) {
      log.error({ thread: name }, 'a thread ended, and is started again');
      await sleep(ms, undefined, { ref: false });
      const worker = await this.#startWorker().catch((err) => {
        log.error({ err, thread: name }, 'a thread could not be started');
        return undefined;
      });
      if (!worker) continue;
      this.#restartAfter(worker);
      return worker;
    }
    throw new ThreadEnded(`The thread for ${name} has ended`);
  }

  #receiveMessage(message: FromThread<Answer, Notice>): void {
    const { log, onNotice } = this.#options;
    if (message.kind === 'log') forwardLine(log, message.line);
    else if (message.kind === 'notice') onNotice?.(message.notice);
    else if (message.kind === 'answer') this.#takePending(message.id)?.resolve(message.answer);
    else if (message.kind === 'error') this.#takePending(message.id)?.reject(new Error(message.reason));
  }

  #takePending(id: number): PromiseWithResolvers<Answer> | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}

function postTo<Question>(worker: Worker, message: ToThread<Question>, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer);
}
