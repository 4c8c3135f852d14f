import { SharedTimeout } from '../concurrency/shared-timeout.ts';
import type { RedisServer } from '../process/redis-urls.ts';
import { askingFirst, type Client, createRedisClient } from './redis-client.ts';
import { ADMIT, keyOf, USED, type Verdict } from './window-scripts.ts';

/** Milliseconds to wait for Redis before the process's own window decides. */
export const TIMEOUT_MS = 1_000;
/** Milliseconds for which a Redis is not asked after a failure, so that not every request runs into a timeout. */
export const RETRY_MS = 500;
/** Milliseconds after which an unresponsive connection is replaced: it may be silently dead. */
const GIVE_UP_MS = 2_000;

/** How to ask: until when to wait for the response, and whether a node is asked about a slot that is moving to it. */
export interface Call {
  /** As of `performance.now()`. */
  deadline: number;
  asking: boolean;
}

/** A range of slots, both ends included, and the node that holds it. */
export interface SlotRange {
  from: number;
  to: number;
  host: string;
  port: number;
}

/** One Redis: the only one, or a node of a cluster. It reconnects by itself. */
export class RedisNode {
  readonly server: RedisServer;
  readonly #onChange: (error?: unknown) => void;
  #client: Client;
  #connectedAt = 0;
  /** Until the first connection is there, or has failed. */
  opening: Promise<void> | undefined;
  #opened: () => void;
  #available = true;
  #retryAt = 0;
  #closed = false;

  /** `onChange` is called when it stops or starts to be available, with the error if there is one. */
  constructor(server: RedisServer, onChange: (error?: unknown) => void) {
    this.server = server;
    this.#onChange = onChange;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.opening = promise;
    this.#opened = () => {
      this.opening = undefined;
      resolve();
    };
    this.#client = this.#connect();
  }

  get address(): string {
    return addressOf(this.server);
  }

  /** Whether it worked when it was last asked. */
  get available(): boolean {
    return this.#available;
  }

  /** Whether it failed a moment ago. */
  get isBackingOff(): boolean {
    return !this.#available && performance.now() < this.#retryAt;
  }

  /** Counts `count` requests of a subject. */
  admit(subject: string, limit: number, count: number, call: Call): Promise<Verdict> {
    return this.#ask(call, ADMIT.SCRIPT, (client) => client.admit(subject, limit, count), hasWritten);
  }

  /** Uncounts the latest request of a subject; returns its time, or null if there is none. */
  takeBack(subject: string, call: Call): Promise<string | null> {
    return this.#ask(call, undefined, (client) => client.rPop(keyOf(subject)));
  }

  /** Returns the requests in the window of each subject; in a cluster, all have to be of one slot. */
  used(subjects: readonly string[], call: Call): Promise<number[]> {
    return this.#ask(call, USED.SCRIPT, (client) => client.used(subjects));
  }

  /** Returns which nodes hold which slots, as far as this one knows. Rejects if it is not part of a cluster. */
  async slots(): Promise<SlotRange[]> {
    const call = { deadline: performance.now() + TIMEOUT_MS, asking: false };
    const ranges = await this.#ask(call, undefined, (client) => client.clusterSlots());
    // A node that does not know its own address means the one at which it was asked.
    return ranges.map(({ from, to, master: { host, port } }) => ({ from, to, port, host: host || this.server.host }));
  }

  /**
   * Sends a command, which may run a script, once connected. Rejects if there is no response in time. `isProof` says
   * whether an answer shows that Redis works.
   */
  async #ask<Answer>(
    { deadline, asking }: Call,
    script: string | undefined,
    command: (client: Client) => Promise<Answer>,
    isProof?: (answer: Answer) => boolean,
  ): Promise<Answer> {
    let timeout: SharedTimeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const giveUp = () => reject(new Error(`Redis did not answer within ${TIMEOUT_MS} ms`));
      // If this process was too busy to read it, the response may be there: it is read before `setImmediate` runs.
      timeout = new SharedTimeout(deadline - performance.now(), () => setImmediate(giveUp));
    });
    const send = asking ? (client: Client) => askingFirst(client, script, command) : command;
    try {
      const sent = this.opening ? this.opening.then(() => send(this.#client)) : send(this.#client);
      const answer = await Promise.race([sent, late]);
      if (!this.#available && isProof?.(answer)) this.#markAvailable();
      return answer;
    } finally {
      timeout?.cancel();
    }
  }

  /** With a new client each time: one that waits for a response can't be made to reconnect. */
  #connect(): Client {
    this.#connectedAt = performance.now();
    const client = createRedisClient(this.server);
    client.on('error', (error) => this.markUnavailable(error));
    client.connect().then(this.#opened, (error) => this.markUnavailable(error));
    return client;
  }

  #markAvailable(): void {
    if (this.#closed) return;
    this.#available = true;
    this.#onChange();
  }

  markUnavailable(error: unknown): void {
    if (this.#closed) return;
    this.#opened();
    this.#retryAt = performance.now() + RETRY_MS;
    if (performance.now() - this.#connectedAt > GIVE_UP_MS) {
      const old = this.#client;
      this.#client = this.#connect();
      if (old.isOpen) old.destroy();
    }
    if (!this.#available) return;
    this.#available = false;
    this.#onChange(error);
  }

  close(): void {
    this.#closed = true;
    this.#opened();
    if (this.#client.isOpen) this.#client.destroy();
  }
}

/**
 * A Redis that is out of memory, or a replica, still refuses what exceeds the limit; only a write proves that it works.
 */
function hasWritten({ admitted }: Verdict): boolean {
  return admitted > 0;
}

export function addressOf({ host, port }: { host: string; port: number }): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
