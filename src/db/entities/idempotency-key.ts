import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** Which event an idempotency key has recorded. */
export const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency_key',
  properties: {
    storeId: p.uuid().primary(),
    /** Empty for a key that is unique in its store, else what the key is unique within. */
    scope: p.text().primary(),
    key: p.text().primary(),
    eventId: p.uuid(),
  },
});

export type IdempotencyKeyRecord = InferEntity<typeof IdempotencyKeyEntity>;
