import type { Caller } from '../domain/caller.ts';
import { ServiceError } from '../domain/service-error.ts';
import { MemoryWindow } from '../rate-limit/memory-window.ts';
import { type Admission, addressSubject, type SlidingWindow, WINDOW_MS } from '../rate-limit/sliding-window.ts';
import type { AddressOf } from './client-address.ts';
import type { Ctx } from './surface.ts';

/** The limit for all keys of a store together, as a multiple of their tier's. */
const KEYS_IN_SUM = 10;

/** Returns the requests that a tier allows per window. A tier that is no longer configured counts as `standard`. */
export function limitOf(tiers: ReadonlyMap<string, number>, tier = 'standard'): number {
  return tiers.get(tier) ?? (tiers.get('standard') as number);
}

const subjectOf = (windowId: string) => `key:${windowId}`;

/** Requests per window of one address with one public key: whoever opens a page has that key. */
export const LIMIT_OF_ADDRESS = 60;

/**
 * Counts requests in the windows of their keys or, without a valid key, of their client addresses. The keys of a store
 * at one tier also share a window, in each process: a store can create keys, each with a window of its own. Addresses
 * that use a public key have a window each, besides.
 */
export class RateLimit {
  readonly #window: SlidingWindow;
  readonly #tiers: ReadonlyMap<string, number>;
  readonly #addressOf: AddressOf;
  readonly #stores = new MemoryWindow();

  constructor(window: SlidingWindow, tiers: ReadonlyMap<string, number>, addressOf: AddressOf) {
    this.#addressOf = addressOf;
    this.#window = window;
    this.#tiers = tiers;
  }

  /** Sets the rate-limit headers. Throws `rate_limit_exceeded` if a window is full. */
  async count(ctx: Ctx, caller: Caller | undefined): Promise<void> {
    const limit = limitOf(this.#tiers, caller?.tier);
    if (!caller) return expectAdmitted(ctx, await this.#window.admit(addressSubject(this.#addressOf(ctx)), limit));
    const ofStore = limit * KEYS_IN_SUM;
    const store = `store:${caller.storeId}:${caller.tier}`;
    const together = this.#stores.admit(store, ofStore);
    if (!together.admitted)
      return expectAdmitted(ctx, { ...together, limit }, 'by all keys of the store together', ofStore);
    const admission = await (ctx.state.client
      ? this.#countClient(ctx.state.client.address, caller, limit)
      : this.#countKey(caller, limit));
    if (!admission.admitted) this.#stores.takeBack(store);
    expectAdmitted(ctx, admission);
  }

  #countKey({ windowId }: Caller, limit: number): Promise<Admission> | Admission {
    return this.#window.admit(subjectOf(windowId), limit);
  }

  /** Returns the admission with the least room left: that of the address, or that of the key. */
  async #countClient(address: string, caller: Caller, limit: number): Promise<Admission> {
    const subject = addressSubject(`${address} ${caller.windowId}`);
    const ofAddress = await this.#window.admit(subject, LIMIT_OF_ADDRESS);
    if (!ofAddress.admitted) return ofAddress;
    const ofKey = await this.#countKey(caller, limit);
    if (!ofKey.admitted) await this.#window.takeBack(subject);
    return !ofKey.admitted || ofKey.remaining < ofAddress.remaining ? ofKey : ofAddress;
  }
}

/** Sets the rate-limit headers. Throws `rate_limit_exceeded` if the window is full. */
export function expectAdmitted(
  ctx: Ctx,
  { admitted, limit, remaining, resetSeconds }: Admission,
  ofWhom = '',
  exceeded: number = limit,
): void {
  ctx.set('RateLimit-Limit', String(limit));
  ctx.set('RateLimit-Remaining', String(remaining));
  ctx.set('RateLimit-Reset', String(resetSeconds));
  if (admitted) return;
  const message = `More than ${exceeded} requests in ${WINDOW_MS / 1000} seconds${ofWhom && ` ${ofWhom}`}`;
  throw new ServiceError('rate_limit_exceeded', message, { retryAfter: resetSeconds });
}

/** Returns the headers of a request that is not counted, because nobody can say whose key it carries. */
export function uncountedHeaders(tiers: ReadonlyMap<string, number>): Record<string, string> {
  const standard = String(tiers.get('standard'));
  return { 'RateLimit-Limit': standard, 'RateLimit-Remaining': standard, 'RateLimit-Reset': '0' };
}

/** The limit of a key in any 60 s, and how much of it is used. */
export interface RateLimitUse {
  limit: number;
  used: number;
}

/** Returns the use of keys' windows. */
export type RateLimitUses = (keys: readonly { windowId: string; tier: string }[]) => Promise<RateLimitUse[]>;

export function rateLimitUses(window: SlidingWindow, tiers: ReadonlyMap<string, number>): RateLimitUses {
  return async (keys) => {
    const used = await window.used(keys.map(({ windowId }) => subjectOf(windowId)));
    return keys.map(({ tier }, n) => ({ limit: limitOf(tiers, tier), used: used[n] ?? 0 }));
  };
}
