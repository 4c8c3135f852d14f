import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { forwardLine, type Log } from '../process/log.ts';
import { StartError } from '../process/start-error.ts';
import type { FromThread, ThreadSetup, ToThread } from './messages.ts';

/** Milliseconds between two pings, and how many of them may go unanswered before a thread is ended. */
const PING_MS = 1_000;
const MAX_MISSED = 20;
/** Milliseconds that a thread has to end by itself. */
const STOP_MS = 5_000;
/** Milliseconds before a thread that ended by itself is started again: doubled each time that it fails. */
const RESTART_MS = 100;
const MAX_RESTART_MS = 10_000;

export interface ThreadOptions<Data, Notice> {
  /** For the log: `bulk jobs`. */
  name: string;
  /** Calls `serveThread`. Its extension is that of the module that names it: `.ts` here, and `.js` in a release. */
  module: URL;
  data: Data;
  log: Log;
  /** Megabytes of objects that it may hold; one that needs more is ended, and the process goes on. */
  maxMemory: number;
  onNotice?: (notice: Notice) => void;
}

/** A question was not answered, because the thread ended. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded';
}

/**
 * A thread of this process, for work that would hold up the requests of others: whatever it does, the event loop goes
 * on. One that ends, runs out of memory or stands still is started again.
 */
export class Thread<Data, Question = never, Answer = never, Notice = never> {
  readonly #options: ThreadOptions<Data, Notice>;
  readonly #asked = new Map<number, PromiseWithResolvers<Answer>>();
  #lastId = 0;
  /** The one that answers, once it is ready. */
  #worker: Promise<Worker>;
  #isStopping = false;

  private constructor(options: ThreadOptions<Data, Notice>) {
    this.#options = options;
    this.#worker = this.#run();
  }

  /** Starts it; rejects with a `StartError` where it can't open what it works with. */
  static async start<Data, Question = never, Answer = never, Notice = never>(
    options: ThreadOptions<Data, Notice>,
  ): Promise<Thread<Data, Question, Answer, Notice>> {
    const thread = new Thread<Data, Question, Answer, Notice>(options);
    const first = await thread.#worker;
    thread.#restartAfter(first);
    return thread;
  }

  /** Asks the thread, once it is ready; hands the buffers of `transfer` over to it. */
  async ask(question: Question, transfer: ArrayBuffer[] = []): Promise<Answer> {
    const worker = await this.#worker;
    this.#lastId += 1;
    const asked = Promise.withResolvers<Answer>();
    this.#asked.set(this.#lastId, asked);
    send(worker, { kind: 'ask', id: this.#lastId, question }, transfer);
    return asked.promise;
  }

  /** Lets it end; what does not end in time is ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    const worker = await this.#worker.catch(() => undefined);
    if (!worker || worker.threadId < 0) return;
    const ended = once(worker, 'exit');
    send(worker, { kind: 'stop' });
    const patience = setTimeout(() => worker.terminate(), STOP_MS);
    await ended;
    clearTimeout(patience);
  }

  /** Starts a worker, and waits until it is ready. */
  async #run(): Promise<Worker> {
    const { name, module, data, log, maxMemory } = this.#options;
    const setup: ThreadSetup<Data> = { data, logLevel: log.level };
    const worker = new Worker(module, { workerData: setup, resourceLimits: { maxOldGenerationSizeMb: maxMemory } });
    const ready = Promise.withResolvers<Worker>();
    let missed = 0;
    const pings = setInterval(() => {
      missed += 1;
      if (missed <= MAX_MISSED) return send(worker, { kind: 'ping' });
      log.error({ thread: name }, 'a thread is blocked, and is terminated');
      void worker.terminate();
    }, PING_MS).unref();
    worker.on('message', (message: FromThread<Answer, Notice>) => {
      missed = 0;
      if (message.kind === 'ready') ready.resolve(worker);
      else if (message.kind === 'failed') {
        ready.reject(new StartError(`The thread for ${name}: ${message.reason}`));
        // It would wait for questions for ever, beside the one that is started instead.
        void worker.terminate();
      } else this.#receive(message);
    });
    worker.on('error', (err) => log.error({ err, thread: name }, 'a thread failed'));
    worker.once('exit', () => {
      clearInterval(pings);
      const ended = new ThreadEnded(`The thread for ${name} has ended`);
      ready.reject(ended);
      for (const { reject } of this.#asked.values()) reject(ended);
      this.#asked.clear();
    });
    return ready.promise;
  }

  #restartAfter(worker: Worker): void {
    worker.once('exit', () => {
      if (this.#isStopping) return;
      this.#worker = this.#restart();
      // Whoever asks meanwhile is told.
      this.#worker.catch(() => {});
    });
  }

  async #restart(): Promise<Worker> {
    const { name, log } = this.#options;
    for (let ms = RESTART_MS; !this.#isStopping; ms = Math.min(2 * ms, MAX_RESTART_MS)) {
      log.error({ thread: name }, 'a thread ended, and is started again');
      await sleep(ms, undefined, { ref: false });
      const worker = await this.#run().catch((err) => {
        log.error({ err, thread: name }, 'a thread could not be started');
        return undefined;
      });
      if (!worker) continue;
      this.#restartAfter(worker);
      return worker;
    }
    throw new ThreadEnded(`The thread for ${name} has ended`);
  }

  #receive(message: FromThread<Answer, Notice>): void {
    const { log, onNotice } = this.#options;
    if (message.kind === 'log') forwardLine(log, message.line);
    else if (message.kind === 'notice') onNotice?.(message.notice);
    else if (message.kind === 'answer') this.#take(message.id)?.resolve(message.answer);
    else if (message.kind === 'error') this.#take(message.id)?.reject(new Error(message.reason));
  }

  #take(id: number): PromiseWithResolvers<Answer> | undefined {
    const asked = this.#asked.get(id);
    this.#asked.delete(id);
    return asked;
  }
}

function send<Question>(worker: Worker, message: ToThread<Question>, transfer: ArrayBuffer[] = []): void {
  worker.postMessage(message, transfer);
}
