import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** A generation of members, which is worked out by ranges of customers before it serves. */
export const SegmentBuildEntity = defineEntity({
  name: 'SegmentBuild',
  tableName: 'segment_build',
  properties: {
    storeId: p.uuid().primary(),
    segmentId: p.uuid().primary(),
    generation: p.integer().primary(),
    definition: p.type(RawJsonType).columnType('json'),
    reason: p.enum(['created', 'changed', 'requested', 'events_expired', 'missed_changes', 'segment_changed']),
    firstPartition: p.text().strictNullable(),
    afterProfileId: p.uuid(),
    profiles: p.bigint('number'),
    total: p.bigint('number').strictNullable(),
    members: p.bigint('number'),
    entered: p.bigint('number'),
    left: p.bigint('number'),
    requestedAt: p.datetime(3),
    startedAt: p.datetime(3).strictNullable(),
    finishedAt: p.datetime(3).strictNullable(),
  },
  indexes: [{ name: 'segment_build_open', properties: ['storeId', 'segmentId'], where: 'finished_at is null' }],
});

export type SegmentBuildRecord = InferEntity<typeof SegmentBuildEntity>;
