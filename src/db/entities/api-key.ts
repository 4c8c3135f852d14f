import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { StoreEntity } from './store.ts';

/** An API key of a store. Of a secret key only its SHA-256 is kept. */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    storeId: () =>
      p.manyToOne(StoreEntity).mapToPk().fieldName('store_id').foreignKeyName('api_key_store_id_fkey').index(false),
    name: p.text(),
    hash: p.blob().unique('api_key_hash_key'),
    /** The key itself, if it is a public one: it is in the source of a page anyway. */
    publicKey: p.text().strictNullable(),
    scopes: p.array().columnType('text[]'),
    tier: p.text(),
    createdAt: p
      .datetime(3)
      .defaultRaw('now()')
      .onCreate(() => new Date()),
    lastUsedAt: p.datetime(3).strictNullable(),
    expiresAt: p.datetime(3).strictNullable(),
    revokedAt: p.datetime(3).strictNullable(),
    /** By whom it was made; null for one of before that was kept. */
    createdByKind: p.text().strictNullable().check("created_by_kind in ('key', 'person', 'operator')"),
    /** The key or the person. */
    createdBy: p.uuid().strictNullable(),
    /** What that was called then. */
    createdByName: p.text().strictNullable(),
    /** The window of the rate limit that its requests are counted in. */
    windowId: p.uuid().defaultRaw('gen_random_uuid()'),
  },
  indexes: [
    { name: 'api_key_store', properties: ['storeId', 'id'] },
    { name: 'api_key_ended', properties: ['storeId', 'revokedAt', 'expiresAt'] },
  ],
});

export type ApiKeyRecord = InferEntity<typeof ApiKeyEntity>;
