import { extname } from 'node:path';
import { FairSemaphore } from '../concurrency/fair-semaphore.ts';
import { SharedTimeout } from '../concurrency/shared-timeout.ts';
import type { Address } from '../db/orm.ts';
import type { StoreData } from '../db/store-data.ts';
import type { OnJob } from '../domain/imports/bulk/jobs.ts';
import type { SecretKey } from '../domain/secrets/secrets.ts';
import { overloaded, ServiceError } from '../domain/service-error.ts';
import type { BatchObserver } from '../domain/write/group-commit.ts';
import type { Deadline } from '../http/deadline.ts';
import type { LargeReply, LargeRequest, LargeRequestHandler, Refusal } from '../http/large-request-types.ts';
import { scaleTimes } from '../process/database-patience.ts';
import { DescribedError, type Log } from '../process/log.ts';
import { Thread, ThreadEnded } from '../threads/thread.ts';

/** Large requests that a process handles concurrently. */
const MAX_CONCURRENT = 3;
/** Megabytes of heap that the thread may use: the worst case for three bodies of 5 MB. */
const MAX_MEMORY = 1_024;
/** Half of what other threads have: large requests are as fast with it. */
const YOUNG_MEMORY = 24;
/**
 * More at the same time would be no faster, fill the memory and delay other requests. A store has two, so that one of its
 * requests is parsed while the other one is written; one is left for others.
 */
const LIMITS = {
  total: MAX_CONCURRENT,
  permitsPerStore: 2,
  maxWaitingPerStore: 100,
  refusal: () => overloaded('Too many large requests are in flight; try again later'),
};
/** Milliseconds to wait until the thread is ready. */
const START_PATIENCE_MS = 45_000;
/** Milliseconds to wait for a permit, and for the thread's answer, by default: a drain has time for both. */
const WAITS = { permit: 2_500, answer: 6_000 };

export interface LargeRequestsSetup {
  address: Address;
  /** Seconds that a request may wait for the database. */
  databaseTimeout: number;
  compatAuthSchemes: readonly string[];
  secretKeys: readonly SecretKey[];
  publicUrl: string | undefined;
}

/** What the thread needs, and what it tells: of a batch that it has written, or of a store that has a new job. */
export type ThreadSetup = LargeRequestsSetup & { connections: number };
export type ThreadNotice = { batch: Parameters<BatchObserver> } | { jobOf: string };

export interface LargeRequestsOptions {
  setup: LargeRequestsSetup;
  stores: Pick<StoreData, 'nodeOf' | 'findNode'>;
  log: Log;
  observe: BatchObserver;
  onJob: OnJob;
}

/**
 * Handles large requests in a separate thread: parsing, validating and serialising 5 MB takes up to seconds, in which
 * no other request would be served.
 */
export class LargeRequests implements LargeRequestHandler {
  readonly #options: LargeRequestsOptions;
  readonly #semaphore: FairSemaphore;
  readonly #waits: typeof WAITS;
  readonly #thread: Thread<ThreadSetup, LargeRequest, LargeReply, ThreadNotice>;

  constructor(options: LargeRequestsOptions) {
    this.#options = options;
    const { stores, setup, log, observe, onJob } = options;
    this.#thread = new Thread({
      name: 'large requests',
      module: new URL(`./large-request-thread${extname(import.meta.url)}`, import.meta.url),
      data: { ...setup, connections: MAX_CONCURRENT },
      log,
      maxMemory: MAX_MEMORY,
      youngMemory: YOUNG_MEMORY,
      onNotice: (notice) => ('jobOf' in notice ? onJob(notice.jobOf) : observe(...notice.batch)),
    });
    // Where there are several nodes, one that hangs leaves a permit for the stores of the others.
    const permits = setup.address.isDistributed ? MAX_CONCURRENT - 1 : MAX_CONCURRENT;
    this.#waits = scaleTimes(WAITS, setup.databaseTimeout);
    const timeoutMs = this.#waits.permit;
    this.#semaphore = new FairSemaphore({ ...LIMITS, permits, timeoutMs, groupOf: stores.nodeOf });
  }

  /** Starts the thread, so that no request waits for that; rejects as long as it can't be started. */
  async start(): Promise<void> {
    await within(START_PATIENCE_MS, this.#thread.start(), 'is not ready yet').catch((cause) => {
      const message = 'Large requests cannot be processed at the moment; try again later';
      throw new ServiceError('upstream_error', message, { retryAfter: 1, cause });
    });
  }

  /**
   * Returns the response to a request and takes ownership of its body. If it is refused, throws the error with the
   * response rendered.
   */
  async perform(request: Omit<LargeRequest, 'budget'>, deadline: Deadline): Promise<LargeReply> {
    const { caller, body } = request;
    await this.start();
    await deadline.enforce(this.#options.stores.findNode(caller.storeId));
    const start = performance.now();
    await this.#semaphore.acquire(caller.storeId);
    deadline.spend(performance.now() - start);
    const pending = this.#thread.ask({ ...request, budget: deadline.left }, body ? [body.buffer] : []);
    // The permit is held as long as the work goes on, even past the deadline.
    const released = pending.finally(() => this.#semaphore.release(caller.storeId));
    const reply = await within(this.#waits.answer, released, 'did not answer in time').catch(rethrowAsServiceError);
    if (reply.error) throw refusalOf(reply.error, reply.body);
    return reply;
  }

  stop(): Promise<void> {
    return this.#thread.stop();
  }
}

/** The thread itself enforces the database budget; this is for a thread that is overloaded, or not ready. */
function within<T>(ms: number, work: Promise<T>, problem: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeout = new SharedTimeout(ms, () => reject(new ThreadEnded(`The thread ${problem}`)));
    work.finally(() => timeout.cancel()).then(resolve, reject);
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
