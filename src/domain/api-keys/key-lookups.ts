import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { Caller, ReadCallers } from '../caller.ts';
import { overloaded } from '../service-error.ts';

interface Waiting extends PromiseWithResolvers<Caller | undefined> {
  client: string;
}

interface LookupLimits {
  /** Milliseconds between two statements. */
  pauseMs: number;
  /** Maximum look-ups waiting in total, and per client. */
  maxWaiting: number;
  maxOfClient: number;
}

/** Looks keys or sessions up by their SHA-256 hash, one statement at a time, each for all look-ups that arrived meanwhile. */
export class KeyLookups {
  readonly #read: ReadCallers;
  readonly #bounds: LookupLimits | undefined;
  #waiting = new Map<string, Waiting>();
  readonly #ofClients = new Map<string, number>();
  #isRunning = false;

  constructor(read: ReadCallers, bounds?: LookupLimits) {
    this.#read = read;
    this.#bounds = bounds;
  }

  /** Returns the caller of a key that is not revoked. Throws `upstream_error` if too many look-ups are waiting. */
  find(digest: string, client: string): Promise<Caller | undefined> {
    const same = this.#waiting.get(digest);
    if (same) return same.promise;
    const ofClient = this.#ofClients.get(client) ?? 0;
    if (this.#bounds && (ofClient >= this.#bounds.maxOfClient || this.#waiting.size >= this.#bounds.maxWaiting)) {
      return Promise.reject(overloaded('Too many unknown keys are being looked up; try again later'));
    }
    const waiting = { ...Promise.withResolvers<Caller | undefined>(), client };
    this.#waiting.set(digest, waiting);
    this.#ofClients.set(client, ofClient + 1);
    if (!this.#isRunning) void this.#run();
    return waiting.promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.size > 0) {
      await turn();
      const asked = this.#waiting;
      this.#waiting = new Map();
      await this.#ask(asked);
      for (const { client } of asked.values()) this.#leave(client);
      if (this.#bounds) await sleep(this.#bounds.pauseMs);
    }
    this.#isRunning = false;
  }

  async #ask(asked: ReadonlyMap<string, Waiting>): Promise<void> {
    try {
      const found = await this.#read([...asked.keys()].map((digest) => Buffer.from(digest, 'base64')));
      for (const { digest, caller } of found) asked.get(digest)?.resolve(caller);
      for (const { resolve } of asked.values()) resolve(undefined);
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  }

  #leave(client: string): void {
    const others = (this.#ofClients.get(client) as number) - 1;
    if (others > 0) this.#ofClients.set(client, others);
    else this.#ofClients.delete(client);
  }
}
