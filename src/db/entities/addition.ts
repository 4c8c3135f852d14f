import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** What a transaction of the last minutes has added or changed: an entry of the change feed. */
export const AdditionEntity = defineEntity({
  name: 'Addition',
  tableName: 'addition',
  properties: {
    storeId: p.uuid().primary(),
    xid: p.string().columnType('xid8').defaultRaw('pg_current_xact_id()').primary(),
    firstId: p.uuid().primary(),
    lastId: p.uuid(),
    kind: p.enum([
      ...(['event', 'rejection', 'profile', 'profile_change', 'automation_status', 'list_change'] as const),
      ...(['segment_change', 'catalog_change'] as const),
    ]),
    addedAt: p.datetime(3).defaultRaw('now()'),
    /** The rows, in order. Null where a process of the version before has written it, until it has a position. */
    ids: p.array().columnType('uuid[]').nullable(),
    /** Of a `list_change`: the list that the profiles have joined or left. */
    listId: p.uuid().nullable(),
    hasJoined: p.boolean().nullable(),
    /** Of a `profile`: how many automations led to it. Null for none. */
    depth: p.integer().nullable(),
    /** What they began with, for each of the ids; null for none. */
    chains: p.array().columnType('uuid[]').nullable(),
    /** Of a `profile` or a `list_change`: what it was if it was not a change like any other. */
    cause: p.enum(['consent', 'import', 'merge']).nullable(),
    /** In the store's feed, from 1; null until somebody reads it. */
    position: p.bigint('number').nullable(),
  },
  indexes: [{ name: 'addition_position', properties: ['storeId', 'position', 'xid'] }],
});

export type AdditionRecord = InferEntity<typeof AdditionEntity>;
