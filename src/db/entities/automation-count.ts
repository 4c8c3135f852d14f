import { defineEntity, p } from '@mikro-orm/postgresql';

/** What has happened in an automation on a day of UTC. */
export const AutomationCountEntity = defineEntity({
  name: 'AutomationCount',
  tableName: 'automation_count',
  properties: {
    storeId: p.uuid().primary(),
    automationId: p.uuid().primary(),
    day: p.date().primary(),
    metric: p.text().primary(),
    /** Of a step, a version or a reason. */
    name: p.text().primary(),
    count: p.bigint('number'),
  },
});
