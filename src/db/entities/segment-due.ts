import { defineEntity, p } from '@mikro-orm/postgresql';

/** When a customer has to be looked at again, although nothing happens. */
export const SegmentDueEntity = defineEntity({
  name: 'SegmentDue',
  tableName: 'segment_due',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    dueAt: p.datetime(3),
  },
  indexes: [{ name: 'segment_due_at', properties: ['storeId', 'dueAt'] }],
});
