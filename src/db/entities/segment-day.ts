import { defineEntity, p } from '@mikro-orm/postgresql';

/** How many entered and left a segment on a day of UTC. */
export const SegmentDayEntity = defineEntity({
  name: 'SegmentDay',
  tableName: 'segment_day',
  properties: {
    storeId: p.uuid().primary(),
    segmentId: p.uuid().primary(),
    day: p.date().primary(),
    entered: p.bigint('number'),
    left: p.bigint('number'),
  },
});
