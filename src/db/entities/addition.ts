import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** What a transaction of the last minutes has added: the rows whose ids lie between two. */
export const AdditionEntity = defineEntity({
  name: 'Addition',
  tableName: 'addition',
  properties: {
    storeId: p.uuid().primary(),
    xid: p.string().columnType('xid8').defaultRaw('pg_current_xact_id()').primary(),
    firstId: p.uuid().primary(),
    lastId: p.uuid(),
    kind: p.enum(['event', 'rejection']),
    addedAt: p.datetime(3).defaultRaw('now()'),
  },
});

export type AdditionRecord = InferEntity<typeof AdditionEntity>;
