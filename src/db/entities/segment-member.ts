import { defineEntity, p } from '@mikro-orm/postgresql';

/** Who is in a segment, by one of its generations. */
export const SegmentMemberEntity = defineEntity({
  name: 'SegmentMember',
  tableName: 'segment_member',
  properties: {
    storeId: p.uuid().primary(),
    segmentId: p.uuid().primary(),
    generation: p.integer().primary(),
    profileId: p.uuid().primary(),
    enteredAt: p.datetime(3),
  },
  indexes: [{ name: 'segment_member_of', properties: ['storeId', 'profileId', 'segmentId', 'generation'] }],
});
