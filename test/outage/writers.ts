import { setTimeout as sleep } from 'node:timers/promises';
import { AssertionError } from 'chai';
import { Client, type Response } from '../support/client.ts';
import { SOAK_ROUNDS } from '../support/sample.ts';
import { KINDS, type Kind } from './kinds.ts';

/** A request, and what its client knows of it. Times are in milliseconds, on the clock of `performance.now()`. */
export interface Attempt {
  kind: Kind;
  mark: string;
  sentAt: number;
  answeredAt: number;
  /**
   * `acknowledged`; `unanswered`, and nobody knows what became of it; `unreachable`, because there was no connection to
   * send it; or the status and code of a refusal: `500 database_error`.
   */
  outcome: string;
  /** The id of what was recorded, where the answer told it. */
  id: string | undefined;
}

const REPEATERS = 8;
/**
 * What a client waits between two requests. In `npm run soak` the service has all the load that a machine of two cores can
 * take; otherwise what is asked is what becomes of requests under way, not whether there is time for all of them.
 */
const PAUSE_MS = SOAK_ROUNDS > 0 ? 60 : 250;
/** Before it tries again after a failure. */
const BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 500;

/** Clients that write without a break, and remember what they were told. */
export class Writers {
  readonly attempts: Attempt[] = [];
  /** When each request was sent that waits for its answer. */
  readonly inFlight = new Set<{ sentAt: number }>();
  readonly #clients: readonly Client[];
  #stopped = false;
  readonly #running: Promise<unknown>;

  /** They write to the first address as long as it answers, else to the next. */
  constructor(urls: readonly string[], key: string) {
    this.#clients = urls.map((url) => new Client(url, key));
    const writers = KINDS.flatMap((kind, k) =>
      Array.from({ length: kind.writers }, (_, i) => this.#write(kind, `k${k}w${i}`)),
    );
    this.#running = Promise.all(writers);
    this.#running.catch(() => {}); // `stop` tells
  }

  /** Lets the requests under way end; throws where an answer was not as its spec says. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  /** Requests that were not acknowledged. */
  get failures(): Attempt[] {
    return this.attempts.filter(({ outcome }) => outcome !== 'acknowledged');
  }

  /** Sends those of them again that may be, to each address until one answers. */
  async repeatFailures(): Promise<void> {
    const left = this.failures.filter(isWorthRepeating);
    const repeat = async () => {
      for (let attempt = left.pop(); attempt; attempt = left.pop()) {
        for (let to = 0; to < this.#clients.length && attempt.outcome !== 'acknowledged'; to += 1) {
          const { outcome, id } = await this.#send(to, attempt.kind, attempt.mark);
          Object.assign(attempt, { outcome, id });
        }
      }
    };
    await Promise.all(Array.from({ length: REPEATERS }, repeat));
  }

  async #write(kind: Kind, name: string): Promise<void> {
    let backoffMs = BACKOFF_MS;
    for (let n = 0, to = 0; !this.#stopped; n += 1) {
      const attempt = await this.#send(to, kind, `${name}n${n}`);
      this.attempts.push(attempt);
      if (attempt.outcome.startsWith('un')) to += 1;
      const failed = attempt.outcome !== 'acknowledged';
      await sleep(failed ? backoffMs : PAUSE_MS);
      backoffMs = failed ? Math.min(2 * backoffMs, MAX_BACKOFF_MS) : BACKOFF_MS;
    }
  }

  async #send(to: number, kind: Kind, mark: string): Promise<Attempt> {
    const client = this.#clients[to % this.#clients.length] as Client;
    const sentAt = performance.now();
    const waiting = { sentAt };
    this.inFlight.add(waiting);
    const told = await client.post(kind.path, kind.body(mark)).then(answered, unanswered);
    this.inFlight.delete(waiting);
    const id = told.outcome === 'acknowledged' ? kind.idOf?.(told.body) : undefined;
    return { kind, mark, sentAt, answeredAt: performance.now(), outcome: told.outcome, id };
  }
}

/** One that never reached the service can't have done anything. */
export function isWorthRepeating({ kind, outcome }: Attempt): boolean {
  return kind.repeatable && !['acknowledged', 'unreachable'].includes(outcome);
}

function answered({ status, body }: Response<any>): { outcome: string; body: unknown } {
  if (status < 300) return { outcome: 'acknowledged', body };
  return { outcome: `${status} ${(body.error ?? body.errors[0]).code}`, body };
}

function unanswered(error: Error & { cause?: { code?: string } }): { outcome: string; body?: unknown } {
  if (error instanceof AssertionError) throw error;
  return { outcome: error.cause?.code === 'ECONNREFUSED' ? 'unreachable' : 'unanswered' };
}
