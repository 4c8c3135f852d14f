import { defineEntity, p } from '@mikro-orm/postgresql';

/** How much has followed from what a chain of automations began with. */
export const AutomationChainEntity = defineEntity({
  name: 'AutomationChain',
  tableName: 'automation_chain',
  properties: {
    storeId: p.uuid().primary(),
    /** The id of the event or the change that it began with, or of the run if nothing of the kind started that. */
    id: p.uuid().primary(),
    /** Events that runs recorded, or runs that started by what runs did. */
    kind: p.enum(['events', 'runs']).primary(),
    count: p.integer(),
  },
});
