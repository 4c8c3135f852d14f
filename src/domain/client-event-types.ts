import { invalid, type Violation } from './service-error.ts';
import { isTrackedType } from './tracking/core/event-types.ts';

/** Different event types that pages and apps of a store may record in a day, at each process. */
const MAX_TYPES = 500;
/** Stores whose types are remembered. */
const MAX_STORES = 10_000;
const DAY_MS = 86_400_000;
const OF_SERVICE = 'is an event_type that pages can not send: the service alone knows what becomes of messages';

/**
 * Bounds how many event types pages and apps make up: counts are kept by type, and nobody can delete one. It goes by what
 * they have sent themselves today, so that it tells nothing of what is stored.
 */
export class ClientEventTypes {
  readonly #now: () => number;
  #day = 0;
  readonly #typesOfStores = new Map<string, Set<string>>();

  /** `now` returns milliseconds since 1970. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Throws `validation_error` at the first type that pages may not send, or that is one too many. `pathOf` says where an event has its type. */
  check(storeId: string, types: readonly string[], pathOf: (index: number) => Violation['path']): void {
    const known = this.#typesOf(storeId);
    for (const [i, type] of types.entries()) {
      if (isTrackedType(type)) throw invalid({ path: pathOf(i), problem: OF_SERVICE });
      if (known.has(type)) continue;
      if (known.size >= MAX_TYPES) {
        throw invalid({ path: pathOf(i), problem: `is one of more than ${MAX_TYPES} that pages have used today` });
      }
      known.add(type);
    }
  }

  #typesOf(storeId: string): Set<string> {
    const day = Math.floor(this.#now() / DAY_MS);
    if (day !== this.#day || this.#typesOfStores.size > MAX_STORES) this.#typesOfStores.clear();
    this.#day = day;
    let types = this.#typesOfStores.get(storeId);
    if (!types) {
      types = new Set();
      this.#typesOfStores.set(storeId, types);
    }
    return types;
  }
}
