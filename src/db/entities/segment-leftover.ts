import { defineEntity, p } from '@mikro-orm/postgresql';

/** Rows that no longer serve, until they are deleted. */
export const SegmentLeftoverEntity = defineEntity({
  name: 'SegmentLeftover',
  tableName: 'segment_leftover',
  properties: {
    storeId: p.uuid().primary(),
    segmentId: p.uuid().primary(),
    generation: p.integer().primary(),
    kind: p.enum(['members', 'build', 'segment']),
  },
});
