import { setTimeout as sleep } from 'node:timers/promises';
import { AssertionError } from 'chai';
import { Client, type Response } from '../support/client.ts';
import { KINDS, type Kind } from './kinds.ts';

/** A request, and what its client knows of it. Times are in milliseconds, on the clock of `performance.now()`. */
export interface Attempt {
  kind: Kind;
  mark: string;
  sentAt: number;
  answeredAt: number;
  /** `acknowledged`, `unanswered`, or the status and code of a refusal: `500 database_error`. */
  outcome: string;
  /** The id of what was recorded, where the answer told it. */
  id: string | undefined;
}

const WRITERS_PER_KIND = 4;
const REPEATERS = 8;
/** What a client waits between two requests, and before it tries again after a failure. */
const PAUSE_MS = 20;
const BACKOFF_MS = 50;
const MAX_BACKOFF_MS = 500;

/** Clients that write without a break, and remember what they were told. */
export class Writers {
  readonly attempts: Attempt[] = [];
  /** Requests that wait for their answer. */
  inFlight = 0;
  readonly #clients: readonly Client[];
  #stopped = false;
  readonly #running: Promise<unknown>;

  /** They write to the first address as long as it answers, else to the next. */
  constructor(urls: readonly string[], key: string) {
    this.#clients = urls.map((url) => new Client(url, key));
    const writers = KINDS.flatMap((kind, k) =>
      Array.from({ length: WRITERS_PER_KIND }, (_, i) => this.#write(kind, `k${k}w${i}`)),
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

  /** Sends those of them again that may be, as a client does that wants to be sure. */
  async repeatFailures(): Promise<void> {
    const left = this.failures.filter(({ kind }) => kind.repeatable);
    const repeat = async () => {
      for (let attempt = left.pop(); attempt; attempt = left.pop()) {
        const { outcome, id } = await this.#send(0, attempt.kind, attempt.mark);
        Object.assign(attempt, { outcome, id });
      }
    };
    await Promise.all(Array.from({ length: REPEATERS }, repeat));
  }

  async #write(kind: Kind, name: string): Promise<void> {
    let backoffMs = BACKOFF_MS;
    for (let n = 0, to = 0; !this.#stopped; n += 1) {
      const attempt = await this.#send(to, kind, `${name}n${n}`);
      this.attempts.push(attempt);
      if (attempt.outcome === 'unanswered') to += 1;
      const failed = attempt.outcome !== 'acknowledged';
      await sleep(failed ? backoffMs : PAUSE_MS);
      backoffMs = failed ? Math.min(2 * backoffMs, MAX_BACKOFF_MS) : BACKOFF_MS;
    }
  }

  async #send(to: number, kind: Kind, mark: string): Promise<Attempt> {
    const client = this.#clients[to % this.#clients.length] as Client;
    this.inFlight += 1;
    const sentAt = performance.now();
    const response = await client.post(kind.path, kind.body(mark)).catch(unanswered);
    this.inFlight -= 1;
    const outcome = outcomeOf(response);
    const id = response && outcome === 'acknowledged' ? kind.idOf?.(response.body) : undefined;
    return { kind, mark, sentAt, answeredAt: performance.now(), outcome, id };
  }
}

function unanswered(error: unknown): undefined {
  if (error instanceof AssertionError) throw error;
}

function outcomeOf(response: Response<any> | undefined): string {
  if (!response) return 'unanswered';
  if (response.status < 300) return 'acknowledged';
  const { error, errors } = response.body;
  return `${response.status} ${(error ?? errors[0]).code}`;
}
