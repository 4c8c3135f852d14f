import { extname } from 'node:path';
import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { SharedTimeout } from '../concurrency/shared-timeout.ts';
import type { StoreData } from '../db/store-data.ts';
import { overloaded, ServiceError } from '../domain/service-error.ts';
import type { BatchObserver } from '../domain/write/batch-observer.ts';
import type { Deadline } from '../http/deadline.ts';
import type { LargeReply, LargeRequest, LargeRequestHandler, Refusal } from '../http/large-request-types.ts';
import { DescribedError, type Log } from '../process/log.ts';
import { Thread, ThreadEnded } from '../threads/thread.ts';
import { type BatchWritten, type LargeRequestsSetup, MAX_CONCURRENT } from './messages.ts';

/** Megabytes of heap that the thread may use: the worst case for three bodies of 5 MB. */
const MAX_MEMORY = 1_024;
/** Half of what other threads have: large requests are as fast with it. */
const YOUNG_MEMORY = 24;
/** More at the same time would be no faster, fill the memory and delay other requests. */
const LIMITS = {
  total: MAX_CONCURRENT,
  permitsPerStore: 1,
  timeoutMs: 2_500,
  maxWaitingPerStore: 100,
  refusal: () => overloaded('Too many large requests are in flight; try again later'),
};
/** Milliseconds to wait for the thread: together with the wait for a permit, less than a drain takes. */
const PATIENCE_MS = 6_000;

export interface LargeRequestsOptions {
  setup: LargeRequestsSetup;
  stores: Pick<StoreData, 'nodeOf' | 'findNode'>;
  log: Log;
  observe: BatchObserver;
}

type RequestThread = Thread<LargeRequestsSetup, LargeRequest, LargeReply, BatchWritten>;

/**
 * Handles large requests in a separate thread: parsing, validating and serialising 5 MB takes up to seconds, in which
 * no other request would be served. The thread starts with the first large request.
 */
export class LargeRequests implements LargeRequestHandler {
  readonly #options: LargeRequestsOptions;
  readonly #semaphore: FairSemaphore;
  #thread: Promise<RequestThread> | undefined;

  constructor(options: LargeRequestsOptions) {
    this.#options = options;
    const { stores, setup } = options;
    // Where there are several nodes, one that hangs leaves a permit for the stores of the others.
    const permits = setup.address.isDistributed ? MAX_CONCURRENT - 1 : MAX_CONCURRENT;
    this.#semaphore = new FairSemaphore({ ...LIMITS, permits, groupOf: stores.nodeOf });
  }

  /**
   * Returns the response to a request and takes ownership of its body. If it is refused, throws the error with the
   * response rendered.
   */
  async perform(request: Omit<LargeRequest, 'budget'>, deadline: Deadline): Promise<LargeReply> {
    const { caller, body } = request;
    const thread = await this.#start();
    await deadline.enforce(this.#options.stores.findNode(caller.storeId));
    const start = performance.now();
    await this.#semaphore.acquire(caller.storeId);
    deadline.spend(performance.now() - start);
    const pending = thread.ask({ ...request, budget: deadline.left }, body ? [body.buffer] : []);
    // The permit is held as long as the work goes on, even past the deadline.
    const reply = await withTimeout(pending.finally(() => this.#semaphore.release(caller.storeId))).catch(
      rethrowAsServiceError,
    );
    if (reply.error) throw refusalOf(reply.error, reply.body);
    return reply;
  }

  async stop(): Promise<void> {
    const thread = await this.#thread?.catch(() => undefined);
    await thread?.stop();
  }

  #start(): Promise<RequestThread> {
    const { setup, log, observe } = this.#options;
    this.#thread ??= Thread.start<LargeRequestsSetup, LargeRequest, LargeReply, BatchWritten>({
      name: 'large requests',
      module: new URL(`./large-request-thread${extname(import.meta.url)}`, import.meta.url),
      data: setup,
      log,
      maxMemory: MAX_MEMORY,
      youngMemory: YOUNG_MEMORY,
      onNotice: ({ source, items, seconds }) => observe(source, items, seconds),
    }).catch((cause) => {
      this.#thread = undefined;
      const message = 'Large requests cannot be processed at the moment; try again later';
      throw new ServiceError('upstream_error', message, { retryAfter: 1, cause });
    });
    return this.#thread;
  }
}

/** The thread itself enforces the database budget; this is for a thread that is overloaded. */
function withTimeout(reply: Promise<LargeReply>): Promise<LargeReply> {
  return new Promise((resolve, reject) => {
    const timeout = new SharedTimeout(PATIENCE_MS, () => reject(new ThreadEnded('The thread did not answer in time')));
    reply.finally(() => timeout.cancel()).then(resolve, reject);
  });
}

function rethrowAsServiceError(error: unknown): never {
  if (!(error instanceof ThreadEnded)) throw error;
  // Not `upstream_error`, which would claim that nothing was stored.
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
