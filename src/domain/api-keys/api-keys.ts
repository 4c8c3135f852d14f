import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type EntityManager, LockMode, type MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { FairSemaphore } from '../../concurrency/fair-semaphore.ts';
import { ApiKeyEntity, type ApiKeyRecord } from '../../db/entities/api-key.ts';
import { StoreEntity } from '../../db/entities/store.ts';
import type { OrmDatabase } from '../../db/orm.ts';
import type { Row } from '../../db/tables.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { AuditActor } from '../audit/audit-log.ts';
import { type Caller, PUBLIC_SCOPE, type Scope } from '../caller.ts';
import type { Once } from '../kept-answers.ts';
import { KeyNames } from '../reading/key-names.ts';
import { ServiceError } from '../service-error.ts';
import type { StoreSettings } from '../store-settings.ts';

export interface NewApiKey {
  storeId: string;
  name: string;
  scopes: readonly Scope[];
  tier: string;
  expiresAt?: Date | null;
  /** By whom it is made; without it, by the operator. */
  createdBy?: AuditActor;
}

export interface CreatedKey {
  record: ApiKeyRecord;
  /** The plaintext key. */
  key: string;
}

const SECRET = 'ffk_';
const PUBLIC = 'ffp_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const FORMAT = new RegExp(`^(?:${SECRET}|${PUBLIC})[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A key's requests stay in its window for a minute; the rest allows for clock skew between processes. */
const WINDOW_FREED_MS = 120_000;

/** `ffk_`, or `ffp_` for a public key; 32 random base62 characters, and their CRC-32 in 6 more. */
export function generateKey(prefix: typeof SECRET | typeof PUBLIC = SECRET): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${prefix}${random}${checksum(random)}`;
}

/** Whether a key is for pages and apps, where everybody can read it. */
export function isPublicKey(key: string): boolean {
  return key.startsWith(PUBLIC);
}

/** Whether a text could be a key: rejects typing errors and most guesses without a database look-up. */
export function isWellFormedKey(text: string): boolean {
  if (!FORMAT.test(text)) return false;
  const random = text.slice(SECRET.length, -CHECKSUM_LENGTH);
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

/** Generates a key and its record, to be stored; unless a window is given, the key gets a new one. */
function draw(
  em: EntityManager,
  { expiresAt = null, createdBy = { kind: 'operator', id: null }, ...input }: NewApiKey,
  { windowId, makerName }: { windowId?: string | undefined; makerName?: string | undefined } = {},
): CreatedKey {
  const isPublic = input.scopes.includes(PUBLIC_SCOPE);
  const key = generateKey(isPublic ? PUBLIC : SECRET);
  const id = newId();
  const record = em.create(ApiKeyEntity, {
    ...input,
    id,
    windowId: windowId ?? id,
    scopes: [...input.scopes],
    expiresAt,
    hash: hashOf(key),
    publicKey: isPublic ? key : null,
    createdByKind: createdBy.kind,
    createdBy: createdBy.id,
    createdByName: makerName ?? null,
    createdAt: new Date(),
    lastUsedAt: null,
    revokedAt: null,
  });
  return { record, key };
}

/**
 * Returns the window of a key that ended so recently that it may still be in use, and that no other key has taken over.
 */
async function freedWindow(em: EntityManager, { storeId, tier }: NewApiKey): Promise<string | undefined> {
  const now = new Date();
  const lately = new Date(now.getTime() - WINDOW_FREED_MS);
  const { rows } = await sql<Pick<Row<'api_key'>, 'window_id'>>`
    with ended as (
      select window_id, id from api_key
      where store_id = ${storeId} and revoked_at > ${lately} and tier = ${tier}
      union all
      select window_id, id from api_key
      where store_id = ${storeId} and revoked_at is null and expires_at > ${lately} and expires_at <= ${now}
        and tier = ${tier}
    )
    select window_id from ended
    where window_id not in (
      select window_id from api_key
      where store_id = ${storeId} and revoked_at is null and (expires_at is null or expires_at > ${now})
    )
    order by id desc
    limit 1`.execute(em.getKysely());
  return rows[0]?.window_id;
}

async function nameOf(em: EntityManager, { storeId, createdBy }: NewApiKey): Promise<string | undefined> {
  if (!createdBy?.id) return undefined;
  return (await new KeyNames(em.getKysely()).of(storeId, [createdBy.id])).get(createdBy.id);
}

/** The condition of keys that are neither revoked nor expired. */
function isInUse() {
  return { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: new Date() } }] };
}

function hashOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/** API keys of all stores. */
export class ApiKeys {
  readonly #orm: MikroORM;
  readonly #connections: Pick<FairSemaphore, 'run'> | undefined;

  /** Work for clients goes through `connections` if several stores share the pool. */
  constructor({ orm }: Pick<OrmDatabase, 'orm'>, connections?: Pick<FairSemaphore, 'run'>) {
    this.#orm = orm;
    this.#connections = connections;
  }

  /** Creates a key. The plaintext of a secret one is returned here and never again. */
  async create(input: NewApiKey): Promise<CreatedKey> {
    // One statement needs none.
    const em = this.#orm.em.fork({ disableTransactions: true });
    const created = draw(em, input);
    await em.flush();
    return created;
  }

  /**
   * Creates a key unless the store already has `maximum` keys in use; then throws `validation_error`. The new key takes
   * over the window of one that ended recently, so that replacing keys gives no more requests than keeping them.
   */
  async createBelow(maximum: number, input: NewApiKey, once: Once<CreatedKey>): Promise<CreatedKey> {
    const createOne = () =>
      this.#orm.em.fork().transactional(async (em) => {
        // Serialises creations, so that the count holds.
        await em.findOne(StoreEntity, { id: input.storeId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
        return await once(em.getKysely(), async () => {
          const used = await em.count(ApiKeyEntity, { storeId: input.storeId, ...isInUse() });
          if (used >= maximum) {
            throw new ServiceError('validation_error', `The store already has ${maximum} keys; revoke one first`);
          }
          const makerName = await nameOf(em, input);
          return draw(em, input, { windowId: await freedWindow(em, input), makerName });
        });
      });
    return this.#inTurn(input.storeId, createOne);
  }

  /** Returns keys of the caller's store before an id, newest first. */
  async listBefore({ storeId }: Caller, id: string | undefined, limit: number): Promise<ApiKeyRecord[]> {
    const where = id === undefined ? { storeId } : { storeId, id: { $lt: id } };
    return this.#inTurn(storeId, () =>
      this.#orm.em.fork().find(ApiKeyEntity, where, { orderBy: { id: 'desc' }, limit }),
    );
  }

  /** Returns the caller's key and its store. Throws `validation_error` for a person. */
  async current({ storeId, actor }: Caller): Promise<{ record: ApiKeyRecord; store: StoreSettings }> {
    if (actor.kind !== 'key') {
      throw new ServiceError('validation_error', 'A person makes this request, and no key; /v1/session says who');
    }
    return this.#inTurn(storeId, async () => {
      const em = this.#orm.em.fork();
      const record = await em.findOneOrFail(ApiKeyEntity, { storeId, id: actor.id });
      return { record, store: await em.findOneOrFail(StoreEntity, { id: storeId }) };
    });
  }

  /** Returns the caller's store. */
  async storeOf({ storeId }: Caller): Promise<StoreSettings> {
    return this.#inTurn(storeId, () => this.#orm.em.fork().findOneOrFail(StoreEntity, { id: storeId }));
  }

  /** Returns the caller's store, and its public keys that are in use, newest first. */
  async account({ storeId }: Caller): Promise<{ store: StoreSettings; publicKeys: string[] }> {
    return this.#inTurn(storeId, async () => {
      const em = this.#orm.em.fork();
      const store = await em.findOneOrFail(StoreEntity, { id: storeId });
      const where = { storeId, publicKey: { $ne: null }, ...isInUse() };
      const keys = await em.find(ApiKeyEntity, where, { orderBy: { id: 'desc' } });
      return { store, publicKeys: keys.flatMap(({ publicKey }) => publicKey ?? []) };
    });
  }

  /** Returns every key of a store, or of all stores, newest first. */
  async list(storeId?: string): Promise<ApiKeyRecord[]> {
    return this.#orm.em.fork().find(ApiKeyEntity, storeId ? { storeId } : {}, { orderBy: { id: 'desc' } });
  }

  /** Returns the store of a key; undefined if there is no such key. */
  async findStoreOf(id: string): Promise<string | undefined> {
    return (await this.#orm.em.fork().findOne(ApiKeyEntity, { id }))?.storeId;
  }

  /** Revokes a key permanently; false if there is none. Revoking it again changes nothing. */
  async revoke(id: string): Promise<boolean> {
    return (await this.#update({ id }, revokeRecord)) !== undefined;
  }

  /** Revokes a key of the caller's store; undefined if there is none. */
  async revokeOf({ storeId }: Caller, id: string): Promise<ApiKeyRecord | undefined> {
    return this.#inTurn(storeId, () => this.#update({ storeId, id }, revokeRecord));
  }

  /** Returns a key of the caller's store; undefined if there is none. */
  async findOf({ storeId }: Caller, id: string): Promise<ApiKeyRecord | undefined> {
    return this.#inTurn(
      storeId,
      async () => (await this.#orm.em.fork().findOne(ApiKeyEntity, { storeId, id })) ?? undefined,
    );
  }

  /** Renames a key of the caller's store; undefined if there is none. */
  async renameOf({ storeId }: Caller, id: string, name: string): Promise<ApiKeyRecord | undefined> {
    const rename = (record: ApiKeyRecord) => {
      record.name = name;
    };
    return this.#inTurn(storeId, () => this.#update({ storeId, id }, rename));
  }

  /** Moves a key to another rate-limit tier; false if there is no such key. */
  async setTier(id: string, tier: string): Promise<boolean> {
    const record = await this.#update({ id }, (found) => {
      found.tier = tier;
    });
    return record !== undefined;
  }

  #inTurn<Result>(storeId: string, work: () => Promise<Result>): Promise<Result> {
    return this.#connections ? this.#connections.run(storeId, work) : work();
  }

  async #update(
    where: { id: string; storeId?: string },
    change: (record: ApiKeyRecord) => void,
  ): Promise<ApiKeyRecord | undefined> {
    const em = this.#orm.em.fork();
    const record = await em.findOne(ApiKeyEntity, where);
    if (!record) return undefined;
    change(record);
    await em.flush();
    return record;
  }
}

function revokeRecord(record: ApiKeyRecord): void {
  record.revokedAt ??= new Date();
}
