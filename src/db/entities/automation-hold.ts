import { defineEntity, p } from '@mikro-orm/postgresql';

/** A store that was restored, and whose automations nobody has released yet. */
export const AutomationHoldEntity = defineEntity({
  name: 'AutomationHold',
  tableName: 'automation_hold',
  properties: {
    storeId: p.uuid().primary(),
    heldAt: p.datetime(3),
  },
});
