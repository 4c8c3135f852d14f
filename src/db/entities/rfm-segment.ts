import { defineEntity, p } from '@mikro-orm/postgresql';

/** A segment that is made of what customers have ordered; it may have been deleted since. */
export const RfmSegmentEntity = defineEntity({
  name: 'RfmSegment',
  tableName: 'rfm_segment',
  properties: {
    storeId: p.uuid().primary(),
    kind: p.text().primary(),
    segmentId: p.uuid(),
    /** When its definition is made anew. */
    dueAt: p.datetime(3),
  },
  indexes: [{ name: 'rfm_segment_due', properties: ['dueAt'] }],
});
