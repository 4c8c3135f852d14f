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
    cause: p.enum(['event', 'profile', 'list', 'consent', 'segment', 'time', 'import', 'definition', 'merge']),
    /** Null for what takes effect, or took effect, with its generation. */
    changedAt: p.datetime(3).strictNullable(),
    /** How many automations led to it, one after the other. */
    depth: p.integer().default(0),
    /** When its transaction began. */
    writtenAt: p.datetime(3).defaultRaw('now()'),
    /** What they began with; null if none did. */
    chain: p.uuid().nullable(),
  },
  indexes: [
    { name: 'segment_change_of', properties: ['storeId', 'segmentId', 'generation', 'id'] },
    { name: 'segment_change_of_profile', properties: ['storeId', 'profileId', 'segmentId', 'id'] },
    {
      name: 'segment_change_coming',
      properties: ['storeId', 'segmentId', 'generation', 'profileId'],
      where: 'changed_at is null',
    },
  ],
});

export type SegmentChangeRecord = InferEntity<typeof SegmentChangeEntity>;
