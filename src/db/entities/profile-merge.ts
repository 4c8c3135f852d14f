import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** The merge of one customer into another: what it has changed, and what is left to do. */
export const ProfileMergeEntity = defineEntity({
  name: 'ProfileMerge',
  tableName: 'profile_merge',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Who stays, by the id that they had then: they may have been merged themselves since. */
    profileId: p.uuid(),
    /** Whom there is no more. */
    fromId: p.uuid(),
    /** The API key. */
    askedBy: p.uuid().strictNullable(),
    createdAt: p.datetime(3),
    completedAt: p.datetime(3).strictNullable(),
    /** When it goes on, or looks once more whether something has come late; null after that. */
    dueAt: p.datetime(3).strictNullable(),
    /** How often all tables have been gone through. */
    passes: p.integer().default(0),
    /** How often it has looked for what came late. */
    probes: p.integer().default(0),
    /** `MergeChanges`. */
    changes: p.type(RawJsonType).columnType('json'),
    /** Both customers as they were; null once that is forgotten. */
    before: p.type(RawJsonType).columnType('json').strictNullable().lazy(),
    /** By table, how many rows were moved. */
    counts: p.type(RawJsonType).columnType('json'),
    /** How far it has come; null before it begins and once it is complete. */
    place: p.type(RawJsonType).columnType('json').strictNullable(),
  },
  uniques: [{ name: 'profile_merge_from', properties: ['storeId', 'fromId'] }],
  indexes: [
    { name: 'profile_merge_due', properties: ['storeId', 'dueAt'], where: 'due_at is not null' },
    { name: 'profile_merge_before', properties: ['storeId', 'createdAt'], where: 'before is not null' },
  ],
});

export type ProfileMergeRecord = InferEntity<typeof ProfileMergeEntity>;
