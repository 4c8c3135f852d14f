import { defineEntity, p } from '@mikro-orm/postgresql';

/** How far the dates of existing customers have been entered. */
export const AutomationDateFillEntity = defineEntity({
  name: 'AutomationDateFill',
  tableName: 'automation_date_fill',
  properties: {
    storeId: p.uuid().primary(),
    automationId: p.uuid().primary(),
    /** The version whose dates they are. */
    version: p.integer(),
    /** The last profile that has been looked at. */
    afterProfileId: p.uuid(),
  },
});
