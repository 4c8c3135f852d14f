import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { ApiKeyEntity, type ApiKeyRecord } from '../db/entities/api-key.ts';
import type { Database } from '../db/orm.ts';
import { newId } from './id.ts';

export const SCOPES = ['events:write', 'events:read', 'profiles:write', 'profiles:read', 'keys:manage'] as const;
export type Scope = (typeof SCOPES)[number];

/** Proof of authentication: who calls, and for which store. */
export interface Caller {
  keyId: string;
  storeId: string;
  scopes: ReadonlySet<string>;
  tier: string;
}

export interface NewApiKey {
  storeId: string;
  name: string;
  scopes: readonly Scope[];
  tier: string;
  expiresAt?: Date | null;
}

const PREFIX = 'ffk_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORMAT = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A key is looked up again after this long, so that a revocation takes effect within a second everywhere. */
const CACHE_MS = 500;
/** Looked-up keys kept at most; unknown ones too, so that guessing does not fill the memory. */
const CACHE_SIZE = 10_000;

/** `ffk_`, 32 random base62 characters, and their CRC-32 in 6 more. */
export function generateKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${PREFIX}${random}${checksum(random)}`;
}

/** Whether a text could be a key: a typing error and most guesses are told without a look in the database. */
export function isWellFormedKey(text: string): boolean {
  if (!FORMAT.test(text)) return false;
  const random = text.slice(PREFIX.length, -CHECKSUM_LENGTH);
  return checksum(random) === text.slice(-CHECKSUM_LENGTH);
}

function checksum(random: string): string {
  let rest = crc32(random);
  let text = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i += 1) {
    text = ALPHABET[rest % ALPHABET.length] + text;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return text;
}

function hashOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

interface CacheEntry {
  loadedAt: number;
  known: Promise<KnownKey | undefined>;
}

/** A key that is not revoked. */
interface KnownKey {
  caller: Caller;
  expiresAt: Date | null;
}

/** The API keys of all stores. */
export class ApiKeys {
  readonly #orm: MikroORM;
  readonly #sql: Database['sql'];
  readonly #cache = new Map<string, CacheEntry>();
  readonly #lastUsed = new Map<string, Date>();

  constructor({ orm, sql }: Database) {
    this.#orm = orm;
    this.#sql = sql;
  }

  /** The caller that a key stands for; undefined for one that is malformed, unknown, expired or revoked. */
  async authenticate(key: string): Promise<Caller | undefined> {
    if (!isWellFormedKey(key)) return undefined;
    const known = await this.#find(hashOf(key));
    const now = new Date();
    if (!known || (known.expiresAt && known.expiresAt <= now)) return undefined;
    this.#lastUsed.set(known.caller.keyId, now);
    return known.caller;
  }

  /** Creates a key. The key itself is in the answer, and nowhere else ever again. */
  async create({ expiresAt = null, ...input }: NewApiKey): Promise<{ record: ApiKeyRecord; key: string }> {
    const key = generateKey();
    const em = this.#orm.em.fork();
    const record = em.create(ApiKeyEntity, {
      ...input,
      id: newId(),
      scopes: [...input.scopes],
      expiresAt,
      hash: hashOf(key),
      createdAt: new Date(),
    });
    await em.flush();
    return { record, key };
  }

  /** Every key of a store, or of all; newest first. */
  async list(storeId?: string): Promise<ApiKeyRecord[]> {
    return this.#orm.em.fork().find(ApiKeyEntity, storeId ? { storeId } : {}, { orderBy: { id: 'desc' } });
  }

  /** Revokes a key, for good; false where there is none. Revoking it again changes nothing. */
  async revoke(id: string): Promise<boolean> {
    return this.#update(id, (record) => {
      record.revokedAt ??= new Date();
    });
  }

  /** Moves a key to another rate-limit tier; false where there is no such key. */
  async setTier(id: string, tier: string): Promise<boolean> {
    return this.#update(id, (record) => {
      record.tier = tier;
    });
  }

  /** Writes down when keys were last used: now and then, rather than with every request. */
  async flushLastUsed(): Promise<void> {
    const used = [...this.#lastUsed];
    this.#lastUsed.clear();
    if (used.length === 0) return;
    await sql`
      update api_key set last_used_at = greatest(last_used_at, u.at)
      from unnest(${used.map(([id]) => id)}::uuid[], ${used.map(([, at]) => at.toISOString())}::timestamptz[]) as u (id, at)
      where api_key.id = u.id`.execute(this.#sql);
  }

  async #update(id: string, change: (record: ApiKeyRecord) => void): Promise<boolean> {
    const em = this.#orm.em.fork();
    const record = await em.findOne(ApiKeyEntity, { id });
    if (!record) return false;
    change(record);
    await em.flush();
    return true;
  }

  /**
   * Looks a key up by its hash. No comparison here takes a constant time, and none has to: what one could learn from its
   * time is how the hash of a guess begins, which neither leads to the hash of a key nor from there to the key.
   */
  #find(hash: Buffer): Promise<KnownKey | undefined> {
    const cacheKey = hash.toString('base64');
    const now = performance.now();
    const cached = this.#cache.get(cacheKey);
    if (cached && now - cached.loadedAt < CACHE_MS) return cached.known;
    // The age counts from before the look-up, and everyone who comes meanwhile shares it.
    const known = this.#orm.em.fork().findOne(ApiKeyEntity, { hash }).then(toKnownKey);
    known.catch(() => this.#cache.delete(cacheKey));
    this.#cache.delete(cacheKey);
    this.#cache.set(cacheKey, { loadedAt: now, known });
    if (this.#cache.size > CACHE_SIZE) this.#cache.delete(this.#cache.keys().next().value as string);
    return known;
  }
}

function toKnownKey(record: ApiKeyRecord | null): KnownKey | undefined {
  if (!record || record.revokedAt) return undefined;
  const { id: keyId, storeId, scopes, tier, expiresAt = null } = record;
  return { caller: { keyId, storeId, scopes: new Set(scopes), tier }, expiresAt };
}
