import type { Caller } from '../domain/caller.ts';
import { ServiceError } from '../domain/service-error.ts';

/** Maximum subscribers per process, per store and per key. Each holds a connection. */
const MAX_SUBSCRIBERS = 1_000;
const MAX_OF_STORE = 100;
const MAX_OF_KEY = 50;
/** Seconds after which a slot may be free. */
const RETRY_AFTER = 15;

/** The slots for subscribers; each store has at most a tenth, so that no store takes all. */
export class SubscriptionSlots {
  readonly #taken = new Set<{ caller: Caller }>();

  /** Takes a slot; the returned function releases it. Throws if none is free. */
  take(caller: Caller): () => void {
    const callers = [...this.#taken].map((slot) => slot.caller);
    if (callers.filter(({ actor }) => actor.id === caller.actor.id).length >= MAX_OF_KEY)
      throw tooMany('key', MAX_OF_KEY);
    if (callers.filter(({ storeId }) => storeId === caller.storeId).length >= MAX_OF_STORE) {
      throw tooMany('store', MAX_OF_STORE);
    }
    if (callers.length >= MAX_SUBSCRIBERS) {
      throw new ServiceError('upstream_error', 'Too many streams are open; try again later', {
        retryAfter: RETRY_AFTER,
      });
    }
    const slot = { caller };
    this.#taken.add(slot);
    return () => this.#taken.delete(slot);
  }
}

function tooMany(whose: string, number: number): ServiceError {
  const message = `The ${whose} already has ${number} open streams; close one first`;
  return new ServiceError('rate_limit_exceeded', message, { retryAfter: RETRY_AFTER });
}
