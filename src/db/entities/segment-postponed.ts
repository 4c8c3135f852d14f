import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** A customer of many events, at whom segments do not look again at once. */
export const SegmentPostponedEntity = defineEntity({
  name: 'SegmentPostponed',
  tableName: 'segment_postponed',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    /** How many were read at the last look, and until when nobody looks again. */
    events: p.integer(),
    notBefore: p.datetime(3),
    /** What has happened since the last look, and before the first of it; null where nothing has. */
    since: p.datetime(3).strictNullable(),
    happened: p.type(RawJsonType).columnType('json').strictNullable(),
  },
  indexes: [
    {
      name: 'segment_postponed_ready',
      expression:
        'create index segment_postponed_ready on segment_postponed (store_id, not_before) where since is not null',
    },
    {
      name: 'segment_postponed_since',
      expression: 'create index segment_postponed_since on segment_postponed (store_id, since) where since is not null',
    },
  ],
});
