import { defineEntity, p } from '@mikro-orm/postgresql';

/** How far runs have been started for the customers who were in a segment when a version was published. */
export const AutomationMemberFillEntity = defineEntity({
  name: 'AutomationMemberFill',
  tableName: 'automation_member_fill',
  properties: {
    storeId: p.uuid().primary(),
    automationId: p.uuid().primary(),
    version: p.integer(),
    segmentId: p.uuid(),
    /** Of the members that served then. */
    generation: p.integer(),
    since: p.datetime(3),
    /** The last member who has been looked at. */
    afterProfileId: p.uuid(),
  },
});
