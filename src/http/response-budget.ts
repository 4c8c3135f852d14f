import type { ServerResponse } from 'node:http';
import { MemoryBudget } from './memory-budget.ts';

/** A store may use one part in this many of the memory for responses. */
const SHARES = 4;
/** Bytes that a store may always use: a page with the largest event, and another response. */
const MIN_SHARE = 12 * 1024 * 1024;
/** Bytes up to which a response is not counted: the kernel buffers them even if the client does not read. */
const SMALL = 16 * 1024;

/**
 * Bytes of responses that clients have not read yet. Clients that send requests without reading would fill the memory.
 */
export class ResponseBudget {
  readonly #memory: MemoryBudget;
  readonly #share: number;

  /** `maxResponseMemory` in megabytes. */
  constructor({ maxResponseMemory }: { maxResponseMemory: number }) {
    const bytes = maxResponseMemory * 1024 * 1024;
    this.#share = Math.max(MIN_SHARE, bytes / SHARES);
    this.#memory = new MemoryBudget(Math.max(bytes, this.#share), this.#share);
  }

  /** Throws `upstream_error` if the store's share or the whole memory is used up. */
  check(storeId: string): void {
    this.#memory.check(storeId, 1);
  }

  /** Returns the bytes that a store may still use. */
  bytesLeft(storeId: string): number {
    const left = this.#memory.left(storeId);
    return left < this.#share ? left : Number.POSITIVE_INFINITY;
  }

  /** Counts bytes of a streamed response until they are released. */
  take(storeId: string, bytes: number): void {
    this.#memory.takeUnconditionally(storeId, this.#weightOf(bytes));
  }

  release(storeId: string, bytes: number): void {
    this.#memory.release(storeId, this.#weightOf(bytes));
  }

  /**
   * Counts a response until its client has read it or disconnected. Throws `upstream_error` if that is too much, unless
   * it `mustBeSent`, because it reports something that has happened.
   */
  holdUntilSent(storeId: string, response: ServerResponse, bytes: number, mustBeSent: boolean): void {
    // A response to a closed connection never emits `close`.
    if (bytes <= SMALL || response.req.socket.destroyed) return;
    const weight = this.#weightOf(bytes);
    if (mustBeSent) this.#memory.takeUnconditionally(storeId, weight);
    else this.#memory.take(storeId, weight);
    response.once('close', () => this.#memory.release(storeId, weight));
  }

  /** A response larger than the share can be sent too, while nothing else of its store waits. */
  #weightOf(bytes: number): number {
    return Math.min(bytes, this.#share);
  }
}
