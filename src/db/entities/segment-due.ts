import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** When a customer has to be looked at again, although nothing happens. */
export const SegmentDueEntity = defineEntity({
  name: 'SegmentDue',
  tableName: 'segment_due',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    dueAt: p.datetime(3),
    /** Of somebody with many events: how many, until when they are left alone, what has happened to them meanwhile. */
    events: p.integer().strictNullable(),
    notBefore: p.datetime(3).strictNullable(),
    happened: p.type(RawJsonType).columnType('jsonb').strictNullable(),
  },
  indexes: [
    { name: 'segment_due_at', properties: ['storeId', 'dueAt'] },
    {
      name: 'segment_due_large',
      expression: 'create index segment_due_large on segment_due (store_id, profile_id) where not_before is not null',
    },
  ],
});
