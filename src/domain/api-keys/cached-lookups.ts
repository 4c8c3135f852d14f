import type { Caller, ReadCallers } from '../caller.ts';
import { KeyLookups } from './key-lookups.ts';

/** Milliseconds after which a key or a session is looked up again, so that its end takes effect everywhere within a second. */
const CACHE_MS = 500;
/** Maximum entries of each cache. Unknown keys have their own, so that guessing evicts no valid key. */
const CACHE_SIZE = 10_000;

interface CacheEntry {
  loadedAt: number;
  caller: Promise<Caller | undefined>;
}

/**
 * Looks callers up by the hash of what their requests carry, a key or a session. What this process knows is looked up at
 * once; anything else waits for a rate-limited statement that it shares with other guesses.
 */
export class CachedLookups {
  readonly #knownKeys: KeyLookups;
  readonly #otherKeys: KeyLookups;
  readonly #known = new Map<string, CacheEntry>();
  readonly #unknown = new Map<string, CacheEntry>();

  constructor(read: ReadCallers) {
    this.#knownKeys = new KeyLookups(read);
    this.#otherKeys = new KeyLookups(read, { pauseMs: 20, maxWaiting: 2_000, maxOfClient: 200 });
  }

  /**
   * Looks a caller up by the hash of a key or a session. No comparison here takes constant time, and none has to: the timing reveals at most how
   * the hash of a guess begins, from which neither the hash of a key nor the key can be derived.
   */
  find(digest: string, client: () => string): Promise<Caller | undefined> {
    const now = performance.now();
    const known = this.#known.get(digest);
    const cached = known ?? this.#unknown.get(digest);
    if (cached && now - cached.loadedAt < CACHE_MS) return cached.caller;
    const caller = known ? this.#knownKeys.find(digest, '') : this.#otherKeys.find(digest, client());
    // The age counts from before the look-up, which concurrent callers share.
    const entry = { loadedAt: now, caller };
    remember(known ? this.#known : this.#unknown, digest, entry);
    caller.then(
      (found) => this.#cacheByOutcome(digest, entry, found),
      () => this.#forget(digest, entry),
    );
    return caller;
  }

  /** Moves an entry to the cache for its outcome. */
  #cacheByOutcome(digest: string, entry: CacheEntry, found: Caller | undefined): void {
    for (const cache of [this.#known, this.#unknown]) if (cache.get(digest) === entry) cache.delete(digest);
    remember(found ? this.#known : this.#unknown, digest, entry);
  }

  /** Drops a failed look-up. A known key stays known: an outage says nothing about the key. */
  #forget(digest: string, entry: CacheEntry): void {
    if (this.#unknown.get(digest) === entry) this.#unknown.delete(digest);
    if (this.#known.get(digest) === entry) entry.loadedAt = Number.NEGATIVE_INFINITY;
  }
}

function remember(cache: Map<string, CacheEntry>, digest: string, entry: CacheEntry): void {
  cache.delete(digest);
  cache.set(digest, entry);
  if (cache.size > CACHE_SIZE) cache.delete(cache.keys().next().value as string);
}
