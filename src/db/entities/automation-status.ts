import { defineEntity, p } from '@mikro-orm/postgresql';

/** From when on an automation had a status or a version; an entry of the change feed. */
export const AutomationStatusEntity = defineEntity({
  name: 'AutomationStatus',
  tableName: 'automation_status',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    automationId: p.uuid(),
    status: p.enum(['live', 'paused', 'draining', 'archived']),
    version: p.integer().nullable(),
    changedAt: p.datetime(3),
    /** The id of the key. */
    changedBy: p.uuid().nullable(),
  },
  indexes: [{ name: 'automation_status_of', properties: ['storeId', 'automationId', 'id'] }],
});
