import { extname } from 'node:path';
import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { SharedTimeout } from '../concurrency/shared-timeout.ts';
import { overloaded, ServiceError } from '../domain/service-error.ts';
import type { BatchObserver } from '../domain/write/batch-observer.ts';
import type { Deadline } from '../http/deadline.ts';
import type { LargeReply, LargeRequest, LargeRequestHandler, Refusal } from '../http/large-request.ts';
import { DescribedError, type Log } from '../process/log.ts';
import { Thread, ThreadEnded } from '../threads/thread.ts';
import { type BatchWritten, type LargeRequestsSetup, MAX_CONCURRENT } from './messages.ts';

/** Megabytes of objects that the thread may hold: what comes of three bodies of 5 MB at their worst. */
const MAX_MEMORY = 1_024;
/**
 * More of them at the same time would be no faster, fill the memory with their objects, and hold up what others ask for.
 */
const LIMITS = {
  permits: MAX_CONCURRENT,
  permitsPerStore: 1,
  timeoutMs: 2_500,
  maxWaitingPerStore: 100,
  refusal: () => overloaded('Too many large requests are in flight; try again later'),
};
/** Milliseconds after which nobody waits for the thread any more: with the wait for a turn, less than a drain takes. */
const PATIENCE_MS = 6_000;

export interface LargeRequestsParts {
  setup: LargeRequestsSetup;
  log: Log;
  observe: BatchObserver;
}

type RequestThread = Thread<LargeRequestsSetup, LargeRequest, LargeReply, BatchWritten>;

/**
 * Works on large requests in a thread of their own: to parse, validate and write down 5 MB takes up to seconds, in
 * which no other request would be served. The thread is started by the first of them.
 */
export class LargeRequests implements LargeRequestHandler {
  readonly #parts: LargeRequestsParts;
  readonly #semaphore = new FairSemaphore(LIMITS);
  #thread: Promise<RequestThread> | undefined;

  constructor(parts: LargeRequestsParts) {
    this.#parts = parts;
  }

  /** The answer to a request; its body is handed over. Throws where it was refused, with the answer written down. */
  async perform(request: Omit<LargeRequest, 'budget'>, deadline: Deadline): Promise<LargeReply> {
    const { caller, body } = request;
    const thread = await this.#start();
    const start = performance.now();
    await this.#semaphore.acquire(caller.storeId);
    deadline.spend(performance.now() - start);
    const asked = thread.ask({ ...request, budget: deadline.left }, body ? [body.buffer] : []);
    // Its turn lasts as long as the work, also where nobody waits for that any more.
    const reply = await inTime(asked.finally(() => this.#semaphore.release(caller.storeId))).catch(toServiceError);
    if (reply.error) throw refusalOf(reply.error, reply.body);
    return reply;
  }

  async stop(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.stop();
  }

  #start(): Promise<RequestThread> {
    const { setup, log, observe } = this.#parts;
    this.#thread ??= Thread.start<LargeRequestsSetup, LargeRequest, LargeReply, BatchWritten>({
      name: 'large requests',
      module: new URL(`./thread${extname(import.meta.url)}`, import.meta.url),
      data: setup,
      log,
      maxMemory: MAX_MEMORY,
      onNotice: ({ source, items, seconds }) => observe(source, items, seconds),
    }).catch((cause) => {
      this.#thread = undefined;
      const message = 'Large requests cannot be processed at the moment; try again later';
      throw new ServiceError('upstream_error', message, { retryAfter: 1, cause });
    });
    return this.#thread;
  }
}

/** The thread heeds the budget for the database itself: this is for one that is overloaded. */
function inTime(reply: Promise<LargeReply>): Promise<LargeReply> {
  return new Promise((resolve, reject) => {
    const wait = new SharedTimeout(PATIENCE_MS, () => reject(new ThreadEnded('The thread did not answer in time')));
    reply.finally(() => wait.cancel()).then(resolve, reject);
  });
}

function toServiceError(error: unknown): never {
  if (!(error instanceof ThreadEnded)) throw error;
  // Not `upstream_error`, which says that nothing was stored.
  throw new ServiceError('internal_error', 'Processing of this request was interrupted; try again', { cause: error });
}

function refusalOf({ code, message, violation, retryAfter, cause }: Refusal, rendered: Uint8Array): ServiceError {
  return new ServiceError(code, message, {
    violations: violation ? [violation] : [],
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause: cause && new DescribedError(cause),
    rendered: Buffer.from(rendered.buffer),
  });
}
