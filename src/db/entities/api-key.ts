import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** An API key of a store. Of the key itself only its SHA-256 is kept. */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    storeId: p.uuid(),
    /** The window of the rate limit that its requests are counted in. */
    windowId: p.uuid(),
    name: p.text(),
    hash: p.blob().unique(),
    scopes: p.array().columnType('text[]'),
    tier: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    lastUsedAt: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
  },
});

export type ApiKeyRecord = InferEntity<typeof ApiKeyEntity>;
