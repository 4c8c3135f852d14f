import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { forwardLine, type Log } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import type { FromThread, ThreadSetup, ToThread } from './messages.ts';

/** Milliseconds without an answer to a ping, after which a thread is terminated, and of which one is sent in each part. */
const HANG_MS = 20_000;
const PINGS = 20;
/** The same for one that is not ready yet. On a busy machine a start takes minutes, and another would take longer. */
const START_MS = 10 * 60_000;
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
  /** For the log, and for what shows the threads of a process: `bulk jobs`. */
  name: string;
  /** Calls `serveThread`. Its extension is that of the module that names it: `.ts` here, and `.js` in a release. */
  module: URL;
  data: Data;
  log: Log;
  /** Megabytes of heap that it may use; if it needs more it is terminated, and the process goes on. */
  maxMemory: number;
  /** Megabytes besides, for what has just been allocated. */
  youngMemory?: number | undefined;
  onNotice?: ((notice: Notice) => void) | undefined;
  hangMs?: number;
  startMs?: number;
}

/** The thread ended before it responded. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/**
 * A thread of this process, for work that would delay requests: whatever it does, the event loop keeps running. It starts
 * with the first request to it, or before, and is restarted if it exits, runs out of memory or hangs.
 */
export class Thread<Data, Question = never, Answer = never, Notice = never> {
  readonly #options: ThreadOptions<Data, Notice>;
  readonly #pending = new Map<number, PromiseWithResolvers<Answer>>();
  #lastId = 0;
  /** The current worker, once it is ready; undefined before the first use, and after a first start that failed. */
  #ready: Promise<Worker> | undefined;
  /** The one that runs, and whether it is ready. */
  #running: Worker | undefined;
  #isReady = false;
  #isStopping = false;

  constructor(options: ThreadOptions<Data, Notice>) {
    this.#options = options;
  }

  /** Waits until it is ready. Rejects with a `StartError` if it can't open its resources; the next use tries again. */
  async start(): Promise<void> {
    await this.#start();
  }

  /** Sends a request to the thread once it is ready, and transfers the buffers of `transfer` to it. */
  async ask(question: Question, transfer: ArrayBuffer[] = []): Promise<Answer> {
    const worker = await this.#start();
    this.#lastId += 1;
    const pending = Promise.withResolvers<Answer>();
    this.#pending.set(this.#lastId, pending);
    postTo(worker, { kind: 'ask', id: this.#lastId, question }, transfer);
    return pending.promise;
  }

  /** Asks it to exit, and terminates it if it does not exit in time. One that is not ready has nothing to end. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const worker = this.#running;
    if (!worker) return;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    if (this.#isReady) postTo(worker, { kind: 'stop' });
    const timer = setTimeout(() => worker.terminate(), this.#isReady ? STOP_MS : 0);
    await ended;
    clearTimeout(timer);
  }

  #start(): Promise<Worker> {
    if (this.#isStopping) return Promise.reject(this.#hasEnded());
    this.#ready ??= this.#startWorker().then(
      (worker) => {
        this.#restartAfter(worker);
        return worker;
      },
      (error) => {
        this.#ready = undefined;
        throw error;
      },
    );
    return this.#ready;
  }

  #hasEnded(): ThreadEnded {
    return new ThreadEnded(`The thread for ${this.#options.name} has ended`);
  }

  /** Starts a worker and waits until it is ready. */
  async #startWorker(): Promise<Worker> {
    const { name, module, data, log, maxMemory, youngMemory = YOUNG_MEMORY } = this.#options;
    const setup: ThreadSetup<Data> = { data, logLevel: log.level };
    const resourceLimits = { maxOldGenerationSizeMb: maxMemory, maxYoungGenerationSizeMb: youngMemory };
    const worker = new Worker(module, { name, workerData: setup, resourceLimits });
    this.#running = worker;
    const ready = Promise.withResolvers<Worker>();
    const watch = this.#watch(worker);
    worker.on('message', (message: FromThread<Answer, Notice>) => {
      watch.hasAnswered();
      if (message.kind === 'ready') {
        watch.isReady();
        this.#isReady = true;
        ready.resolve(worker);
      } else if (message.kind === 'failed') {
        ready.reject(new StartError(`The thread for ${name}: ${message.reason}`));
        // It would wait for requests forever, next to its replacement.
        void worker.terminate();
      } else this.#receiveMessage(message);
    });
    worker.on('error', (err) => log.error({ err, thread: name }, 'a thread failed'));
    worker.once('exit', () => {
      watch.end();
      this.#running = undefined;
      this.#isReady = false;
      const ended = this.#hasEnded();
      ready.reject(ended);
      for (const { reject } of this.#pending.values()) reject(ended);
      this.#pending.clear();
    });
    return ready.promise;
  }

  /** Terminates a worker that takes too long to be ready, or that hangs once it is. */
  #watch(worker: Worker) {
    const { name, log, hangMs = HANG_MS, startMs = START_MS } = this.#options;
    const terminate = () => {
      clearTimeout(timer);
      log.error({ thread: name }, 'a thread is blocked, and is terminated');
      void worker.terminate();
    };
    let missed = 0;
    let timer = setTimeout(terminate, startMs).unref();
    return {
      hasAnswered: () => {
        missed = 0;
      },
      isReady: () => {
        clearTimeout(timer);
        timer = setInterval(() => {
          missed += 1;
          if (missed > PINGS) terminate();
          else postTo(worker, { kind: 'ping' });
        }, hangMs / PINGS).unref();
      },
      end: () => clearTimeout(timer),
    };
  }

  #restartAfter(worker: Worker): void {
    worker.once('exit', () => {
      if (this.#isStopping) return;
      this.#ready = this.#restart();
      // Callers of `ask` see the rejection.
      this.#ready.catch(() => {});
    });
  }

  async #restart(): Promise<Worker> {
    const { name, log } = this.#options;
    for (let ms = RESTART_MS; !this.#isStopping; ms = Math.min(2 * ms, MAX_RESTART_MS)) {
      log.error({ thread: name }, 'a thread ended, and is started again');
      await sleep(ms, undefined, { ref: false });
      if (this.#isStopping) break;
      const worker = await this.#startWorker().catch((err) => {
        log.error({ err, thread: name }, 'a thread could not be started');
        return undefined;
      });
      if (!worker) continue;
      this.#restartAfter(worker);
      return worker;
    }
    throw this.#hasEnded();
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
