import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** One of the last refused requests of a store: what was wrong with it, and no value of it. */
export const RejectionEntity = defineEntity({
  name: 'Rejection',
  tableName: 'rejection',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    requestId: p.uuid(),
    /** Null where it was refused before that was known. */
    operation: p.text().strictNullable(),
    keyId: p.uuid(),
    status: p.integer(),
    code: p.text(),
    field: p.text().strictNullable(),
    message: p.text(),
    rejectedAt: p.datetime(3),
  },
});

export type RejectionRecord = InferEntity<typeof RejectionEntity>;
