import { defineEntity, p } from '@mikro-orm/postgresql';

/** What a transaction adds to the counts of an automation. */
export const AutomationCountNewEntity = defineEntity({
  name: 'AutomationCountNew',
  tableName: 'automation_count_new',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    automationId: p.uuid(),
    day: p.date(),
    metric: p.text(),
    name: p.text(),
    count: p.integer(),
  },
  indexes: [{ name: 'automation_count_new_of', properties: ['storeId', 'automationId'] }],
});
