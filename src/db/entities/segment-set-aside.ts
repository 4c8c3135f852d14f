import { defineEntity, p } from '@mikro-orm/postgresql';

/** A customer for whom a segment can't be evaluated in time, and since when. */
export const SegmentSetAsideEntity = defineEntity({
  name: 'SegmentSetAside',
  tableName: 'segment_set_aside',
  properties: {
    storeId: p.uuid().primary(),
    segmentId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    setAsideAt: p.datetime(3),
  },
});
