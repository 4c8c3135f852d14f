import { defineEntity, p } from '@mikro-orm/postgresql';

/** A store whose automations and messages are held: it was restored and nobody has released it yet, or somebody has paused it. */
export const AutomationHoldEntity = defineEntity({
  name: 'AutomationHold',
  tableName: 'automation_hold',
  properties: {
    storeId: p.uuid().primary(),
    heldAt: p.datetime(3),
    reason: p.enum(['restored', 'paused']).default('restored'),
    heldByKind: p.enum(['key', 'person']).nullable(),
    heldBy: p.uuid().nullable(),
  },
});
