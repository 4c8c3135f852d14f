import { defineEntity, p } from '@mikro-orm/postgresql';

/** The attributes of a store's profiles whose changes are written down. */
export const AutomationWatchEntity = defineEntity({
  name: 'AutomationWatch',
  tableName: 'automation_watch',
  properties: {
    storeId: p.uuid().primary(),
    names: p.array().columnType('text[]'),
  },
});
