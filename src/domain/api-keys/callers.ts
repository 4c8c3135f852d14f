import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import type { PeriodicTask } from '../../engine/periodic.ts';
import type { Caller } from '../caller.ts';
import { readPersonCallers, writeLastSeen } from '../people/read-person-callers.ts';
import { isToken } from '../people/tokens.ts';
import { isWellFormedKey } from './api-keys.ts';
import { CachedLookups } from './cached-lookups.ts';
import { LastUsed } from './last-used.ts';
import { readKeyCallers } from './read-key-callers.ts';

/** Finds the caller of an API key of any store, or of a session of a person. */
export class Callers {
  readonly #keys: CachedLookups;
  readonly #sessions: CachedLookups;
  readonly #lastUsed: LastUsed;
  readonly #lastSeen: LastUsed;
  readonly periodic: PeriodicTask = {
    failure: 'last use of keys not written',
    everyMs: 5_000,
    alsoAt: 'end',
    run: () => this.flushLastUsed(),
  };

  /** `db` must use connections that requests do not wait for. */
  constructor(db: Sql) {
    this.#keys = new CachedLookups(readKeyCallers(db));
    this.#sessions = new CachedLookups(readPersonCallers(db));
    this.#lastUsed = new LastUsed((used) => writeLastUsed(db, used));
    this.#lastSeen = new LastUsed((used) => writeLastSeen(db, used));
  }

  /**
   * Returns the caller of a key; undefined for a malformed, unknown, expired or revoked key. Throws `upstream_error` if
   * too many look-ups of the client, or of all clients, are waiting.
   */
  async authenticate(key: string, client: () => string): Promise<Caller | undefined> {
    if (!isWellFormedKey(key)) return undefined;
    const known = await this.#keys.find(hash('sha256', key, 'base64'), client);
    const now = new Date();
    if (!known || (known.expiresAt && known.expiresAt <= now)) return undefined;
    this.#lastUsed.set(known.actor.id, now);
    return known;
  }

  /** Returns the caller of a session of a person, by what its cookie has; undefined if it has ended. The same errors. */
  async authenticateSession(token: string, client: () => string): Promise<Caller | undefined> {
    if (!isToken(token)) return undefined;
    const digest = hash('sha256', token, 'base64');
    const known = await this.#sessions.find(digest, client);
    if (known) this.#lastSeen.set(digest, new Date());
    return known;
  }

  /** Stores when keys and sessions were last used, periodically rather than with every request. */
  async flushLastUsed(): Promise<void> {
    await Promise.all([this.#lastUsed.flush(), this.#lastSeen.flush()]);
  }
}

async function writeLastUsed(db: Sql, used: readonly [string, Date][]): Promise<void> {
  await sql`
    update api_key set last_used_at = greatest(last_used_at, u.at)
    from unnest(${used.map(([id]) => id)}::uuid[], ${used.map(([, at]) => at.toISOString())}::timestamptz[]) as u (id, at)
    where api_key.id = u.id`.execute(db);
}
