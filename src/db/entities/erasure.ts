import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** The erasure of a customer: what is left to do, and afterwards the proof, which says nothing of the customer. */
export const ErasureEntity = defineEntity({
  name: 'Erasure',
  tableName: 'erasure',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** The API key; null for the command. */
    askedBy: p.uuid().strictNullable(),
    createdAt: p.datetime(3),
    completedAt: p.datetime(3).strictNullable(),
    /** When it goes on; null once it is complete. */
    dueAt: p.datetime(3).strictNullable(),
    /** For how many days the identifiers are suppressed; null for ever. */
    suppressDays: p.integer().strictNullable(),
    /** How often all tables have been gone through. */
    passes: p.integer().default(0),
    /** Whether the store knew the customer. */
    wasKnown: p.boolean(),
    events: p.enum(['delete', 'anonymise']),
    /** Keyed hashes of the identifiers. */
    digests: p.array().columnType('bytea[]').lazy(),
    /** Keyed hashes of the ids of the profile and of those merged into it; null for an erasure of a version that kept none. */
    profileDigests: p.array().columnType('bytea[]').strictNullable().lazy(),
    /** By table, how many rows were deleted or emptied. */
    counts: p.type(RawJsonType).columnType('json'),
    /** What expires by itself, and when. */
    residues: p.type(RawJsonType).columnType('json'),
    /** Who is erased; null once the erasure is complete. */
    subject: p.type(RawJsonType).columnType('json').strictNullable(),
    /** How far it has come; null before it begins and once it is complete. */
    place: p.type(RawJsonType).columnType('json').strictNullable(),
  },
  indexes: [{ name: 'erasure_due', properties: ['storeId', 'dueAt'], where: 'due_at is not null' }],
});

export type ErasureRecord = InferEntity<typeof ErasureEntity>;
