import { defineEntity, p } from '@mikro-orm/postgresql';

/** When a customer's date is due. */
export const AutomationDateEntity = defineEntity({
  name: 'AutomationDate',
  tableName: 'automation_date',
  properties: {
    storeId: p.uuid().primary(),
    automationId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    /** The version that it was worked out by. */
    version: p.integer(),
    /** The occasion's own day, before any offset. */
    day: p.date(),
    dueAt: p.datetime(3),
  },
  indexes: [{ name: 'automation_date_due', properties: ['storeId', 'automationId', 'dueAt'] }],
});
