import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** Somebody entered or left a segment. */
export const SegmentChangeEntity = defineEntity({
  name: 'SegmentChange',
  tableName: 'segment_change',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    segmentId: p.uuid(),
    generation: p.integer(),
    profileId: p.uuid(),
    kind: p.enum(['entered', 'left']),
    cause: p.enum(['event', 'profile', 'list', 'segment', 'time', 'import', 'definition']),
    /** Null for what takes effect, or took effect, with its generation. */
    changedAt: p.datetime(3).strictNullable(),
  },
  indexes: [
    { name: 'segment_change_of', properties: ['storeId', 'segmentId', 'generation', 'id'] },
    {
      name: 'segment_change_coming',
      properties: ['storeId', 'segmentId', 'generation', 'profileId'],
      where: 'changed_at is null',
    },
  ],
});

export type SegmentChangeRecord = InferEntity<typeof SegmentChangeEntity>;
