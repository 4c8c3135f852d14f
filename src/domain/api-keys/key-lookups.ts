import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ApiKeyRecord } from '../../db/entities/api-key.ts';
import type { Sql } from '../../db/orm.ts';
import type { Caller } from '../caller.ts';
import { overloaded } from '../service-error.ts';

interface Row extends Pick<ApiKeyRecord, 'storeId' | 'windowId' | 'scopes' | 'tier'> {
  digest: string;
  keyId: ApiKeyRecord['id'];
  country: string | null;
  keepsHistory: boolean;
  /** Milliseconds of Unix time; null if it does not expire. */
  ends: number | null;
}

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

/** Looks keys up by their SHA-256 hash, one statement at a time, each for all look-ups that arrived meanwhile. */
export class KeyLookups {
  readonly #sql: Sql;
  readonly #bounds: LookupLimits | undefined;
  #waiting = new Map<string, Waiting>();
  readonly #ofClients = new Map<string, number>();
  #isRunning = false;

  constructor(db: Sql, bounds?: LookupLimits) {
    this.#sql = db;
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
      const hashes = [...asked.keys()].map((digest) => Buffer.from(digest, 'base64'));
      const { rows } = await sql<Row>`
        select encode(hash, 'base64') as digest, k.id as "keyId", k.store_id as "storeId", s.country,
          s.history_days > 0 as "keepsHistory",
          k.window_id as "windowId", k.scopes, k.tier, (extract(epoch from k.expires_at) * 1000)::float8 as ends
        from api_key k
        join store s on s.id = k.store_id
        where k.hash = any(${hashes}::bytea[]) and k.revoked_at is null`.execute(this.#sql);
      for (const row of rows) asked.get(row.digest)?.resolve(toCaller(row));
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

function toCaller({ keyId, storeId, country, keepsHistory, windowId, scopes, tier, ends }: Row): Caller {
  const expiresAt = ends === null ? null : new Date(ends);
  return { keyId, storeId, country, keepsHistory, windowId, scopes: new Set(scopes), tier, expiresAt };
}
