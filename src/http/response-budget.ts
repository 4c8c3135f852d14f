import type { ServerResponse } from 'node:http';
import { MemoryBudget } from './memory-budget.ts';

/** A store may have one part of so many of the memory for answers. */
const SHARES = 4;
/** Bytes that a store may have in any case: a page with the largest event, and another answer. */
const MIN_SHARE = 12 * 1024 * 1024;
/** Bytes of an answer up to which it is not counted: the system takes them, whether or not the client does. */
const SMALL = 16 * 1024;

/**
 * What is written down for clients and not yet taken by them, in bytes as they are sent. A client that asks and does
 * not read would fill the memory.
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

  /** Throws `upstream_error` where a store has its share waiting already, or all stores together have too much. */
  check(storeId: string): void {
    this.#memory.check(storeId, 1);
  }

  /** Bytes that a store may still have waiting. */
  room(storeId: string): number {
    const left = this.#memory.left(storeId);
    return left < this.#share ? left : Number.POSITIVE_INFINITY;
  }

  /** Counts what is sent bit by bit, until it is released. */
  take(storeId: string, bytes: number): void {
    this.#memory.takeUnconditionally(storeId, this.#weightOf(bytes));
  }

  release(storeId: string, bytes: number): void {
    this.#memory.release(storeId, this.#weightOf(bytes));
  }

  /**
   * Counts an answer until its client has taken it, or is gone. Throws `upstream_error` where that is too much, unless
   * it `mustBeSent`: what it tells of has happened.
   */
  holdUntilSent(storeId: string, response: ServerResponse, bytes: number, mustBeSent: boolean): void {
    // Nobody would say when the answer to a client that is gone is closed.
    if (bytes <= SMALL || response.req.socket.destroyed) return;
    const weight = this.#weightOf(bytes);
    if (mustBeSent) this.#memory.takeUnconditionally(storeId, weight);
    else this.#memory.take(storeId, weight);
    response.once('close', () => this.#memory.release(storeId, weight));
  }

  /** One that is larger than the share can be sent too, while nothing else of its store waits. */
  #weightOf(bytes: number): number {
    return Math.min(bytes, this.#share);
  }
}
