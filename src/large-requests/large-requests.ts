import { extname } from 'node:path';
import { ServiceError } from '../domain/errors.ts';
import type { BatchObserver } from '../domain/write/observer.ts';
import type { Deadline } from '../http/deadline.ts';
import { DescribedError, type Log } from '../log.ts';
import { Thread, ThreadEnded } from '../threads/thread.ts';
import { Turns } from '../turns.ts';
import { Wait } from '../wait.ts';
import {
  type BatchWritten,
  type LargeReply,
  type LargeRequest,
  type LargeRequestsSetup,
  MAX_AT_A_TIME,
  type Refusal,
} from './messages.ts';

/** Megabytes of objects that the thread may hold: what comes of three bodies of 5 MB at their worst. */
const MAX_MEMORY = 1_024;
/**
 * More of them at the same time would be no faster, fill the memory with their objects, and hold up what others ask for.
 */
const TURNS = {
  atATime: MAX_AT_A_TIME,
  ofStore: 1,
  patienceMs: 2_500,
  maxWaiting: 100,
  message: 'Too many large requests are under way; try again later',
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
export class LargeRequests {
  readonly #parts: LargeRequestsParts;
  readonly #turns = new Turns(TURNS);
  #thread: Promise<RequestThread> | undefined;

  constructor(parts: LargeRequestsParts) {
    this.#parts = parts;
  }

  /** The answer to a request; its body is handed over. Throws where it was refused, with the answer written down. */
  async perform(request: Omit<LargeRequest, 'budget'>, deadline: Deadline): Promise<LargeReply> {
    const { caller, body } = request;
    const thread = await this.#start();
    const start = performance.now();
    await this.#turns.begin(caller.storeId);
    deadline.spend(performance.now() - start);
    const asked = thread.ask({ ...request, budget: deadline.left }, body ? [body.buffer] : []);
    // Its turn lasts as long as the work, also where nobody waits for that any more.
    const reply = await inTime(asked.finally(() => this.#turns.end(caller.storeId))).catch(toServiceError);
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
    }).catch((error) => {
      this.#thread = undefined;
      throw error;
    });
    return this.#thread;
  }
}

/** The thread heeds the budget for the database itself: this is for one that is overloaded. */
function inTime(reply: Promise<LargeReply>): Promise<LargeReply> {
  return new Promise((resolve, reject) => {
    const wait = new Wait(PATIENCE_MS, () => reject(new ThreadEnded('The thread did not answer in time')));
    reply.finally(() => wait.end()).then(resolve, reject);
  });
}

function toServiceError(error: unknown): never {
  if (!(error instanceof ThreadEnded)) throw error;
  // Not `upstream_error`, which says that nothing was stored.
  throw new ServiceError('internal_error', 'The work on this request was interrupted; try again', { cause: error });
}

function refusalOf({ code, message, violation, retryAfter, cause }: Refusal, rendered: Uint8Array): ServiceError {
  return new ServiceError(code, message, {
    violations: violation ? [violation] : [],
    ...(retryAfter === undefined ? {} : { retryAfter }),
    cause: cause && new DescribedError(cause),
    rendered: Buffer.from(rendered.buffer),
  });
}
