import { defineEntity, p } from '@mikro-orm/postgresql';

/** That somebody has asked for a change of a store: written before it is made, and completed after it. */
export const AuditEntryEntity = defineEntity({
  name: 'AuditEntry',
  tableName: 'audit_entry',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    begunAt: p.datetime(3),
    actorKind: p.text().check("actor_kind in ('key', 'person', 'operator')"),
    /** Of the key or the person; null for the operator. */
    actorId: p.uuid().strictNullable(),
    /** Null for the operator, who has a shell. */
    address: p.text().strictNullable(),
    operation: p.text(),
    /** The ids in the path, or that of what was created. */
    target: p.text().strictNullable(),
    /** Names of what the request says, without values. */
    fields: p.array().columnType('text[]'),
    requestId: p.uuid().strictNullable(),
    /** Null until it has ended. */
    outcome: p.text().strictNullable().check("outcome in ('done', 'refused', 'failed')"),
    status: p.integer().strictNullable(),
    endedAt: p.datetime(3).strictNullable(),
  },
  indexes: [
    { name: 'audit_entry_of_actor', properties: ['storeId', 'actorId', 'id'] },
    {
      name: 'audit_entry_of_actor_and_operation',
      properties: ['storeId', 'actorId', 'operation', 'id'],
      where: 'actor_id is not null',
    },
    { name: 'audit_entry_of_operation', properties: ['storeId', 'operation', 'id'] },
  ],
});
