import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** A segment of a store, and by which definition its members are what they are. */
export const SegmentEntity = defineEntity({
  name: 'Segment',
  tableName: 'segment',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    definition: p.type(RawJsonType).columnType('json'),
    revision: p.integer(),
    /** Of the rows of members that serve; 0 before there are any. */
    generation: p.integer(),
    /** Of all builds so far. */
    lastGeneration: p.integer(),
    servedDefinition: p.type(RawJsonType).columnType('json').strictNullable(),
    members: p.bigint('number'),
    /** Null while the members are kept up to date. */
    staleSince: p.datetime(3).strictNullable(),
    failure: p.text().strictNullable(),
    listIds: p.array().columnType('uuid[]'),
    segmentIds: p.array().columnType('uuid[]'),
    firstPartition: p.text().strictNullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});
