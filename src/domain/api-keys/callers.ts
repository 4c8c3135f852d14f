import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import type { PeriodicTask } from '../../engine/periodic.ts';
import type { Caller } from '../caller.ts';
import { isWellFormedKey } from './api-keys.ts';
import { KeyLookups } from './key-lookups.ts';

/** Milliseconds after which a key is looked up again, so that a revocation takes effect everywhere within a second. */
const CACHE_MS = 500;
/** Maximum entries of each cache. Unknown keys have their own, so that guessing evicts no valid key. */
const CACHE_SIZE = 10_000;

interface CacheEntry {
  loadedAt: number;
  caller: Promise<Caller | undefined>;
}

/**
 * Finds the caller of an API key of any store. Keys that this process knows are looked up at once; any other
 * well-formed text waits for a rate-limited statement that it shares with other guesses.
 */
export class Callers {
  readonly #sql: Sql;
  readonly #knownKeys: KeyLookups;
  readonly #otherKeys: KeyLookups;
  readonly #known = new Map<string, CacheEntry>();
  readonly #unknown = new Map<string, CacheEntry>();
  readonly #lastUsed = new Map<string, Date>();
  readonly periodic: PeriodicTask = {
    failure: 'last use of keys not written',
    everyMs: 5_000,
    alsoAt: 'end',
    run: () => this.flushLastUsed(),
  };

  /** `db` must use connections that requests do not wait for. */
  constructor(db: Sql) {
    this.#sql = db;
    this.#knownKeys = new KeyLookups(db);
    this.#otherKeys = new KeyLookups(db, { pauseMs: 20, maxWaiting: 2_000, maxOfClient: 200 });
  }

  /**
   * Returns the caller of a key; undefined for a malformed, unknown, expired or revoked key. Throws `upstream_error` if
   * too many look-ups of the client, or of all clients, are waiting.
   */
  async authenticate(key: string, client: () => string): Promise<Caller | undefined> {
    if (!isWellFormedKey(key)) return undefined;
    const known = await this.#find(hash('sha256', key, 'base64'), client);
    const now = new Date();
    if (!known || (known.expiresAt && known.expiresAt <= now)) return undefined;
    this.#lastUsed.set(known.keyId, now);
    return known;
  }

  /** Stores when keys were last used, periodically rather than with every request. Keeps the times if that fails. */
  async flushLastUsed(): Promise<void> {
    const used = [...this.#lastUsed];
    this.#lastUsed.clear();
    if (used.length === 0) return;
    try {
      await this.#writeLastUsed(used);
    } catch (error) {
      for (const [id, at] of used) if (!this.#lastUsed.has(id)) this.#lastUsed.set(id, at);
      throw error;
    }
  }

  async #writeLastUsed(used: [string, Date][]): Promise<void> {
    await sql`
      update api_key set last_used_at = greatest(last_used_at, u.at)
      from unnest(${used.map(([id]) => id)}::uuid[], ${used.map(([, at]) => at.toISOString())}::timestamptz[]) as u (id, at)
      where api_key.id = u.id`.execute(this.#sql);
  }

  /**
   * Looks a key up by its hash. No comparison here takes constant time, and none has to: the timing reveals at most how
   * the hash of a guess begins, from which neither the hash of a key nor the key can be derived.
   */
  #find(digest: string, client: () => string): Promise<Caller | undefined> {
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
