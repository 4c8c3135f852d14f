import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** What a store has set up to happen by itself: a draft, and which version of it is live. */
export const AutomationEntity = defineEntity({
  name: 'Automation',
  tableName: 'automation',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    name: p.text(),
    draft: p.type(RawJsonType).columnType('json'),
    /** Grows with every change of the draft. */
    revision: p.integer(),
    status: p.enum(['draft', 'live', 'paused', 'draining', 'archived']),
    /** The number of the latest version; null before the first. */
    version: p.integer().nullable(),
    /** The revision of which that version was made. */
    publishedRevision: p.integer().nullable(),
    /** What starts its runs, by the latest version, or before the first by the draft. */
    trigger: p.type(RawJsonType).columnType('json'),
    /** The type of event that does; null if none does. */
    eventType: p.text().nullable(),
    /** The segment whose changes do; null if none does. */
    segmentId: p.uuid().nullable(),
    /** When it was last resumed, and what becomes of runs that were due before: `{at, overdue, spreadMs}`. */
    resumed: p.type(RawJsonType).columnType('jsonb').nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** Status and version where the reader of the change feed is. */
    readStatus: p.enum(['draft', 'live', 'paused', 'draining', 'archived']),
    readVersion: p.integer().nullable(),
    /** What definitions mean that do not say whether they take events of public keys. */
    takesClientEvents: p.boolean().default(true),
  },
  indexes: [
    { name: 'automation_published', properties: ['storeId', 'id'], where: "status <> 'draft'" },
    { name: 'automation_with_status', properties: ['storeId', 'status', 'id'] },
    { name: 'automation_of_segment', properties: ['storeId', 'segmentId'], where: 'segment_id is not null' },
    { name: 'automation_of_type', properties: ['storeId', 'eventType', 'id'] },
    { name: 'automation_of_type_with_status', properties: ['storeId', 'eventType', 'status', 'id'] },
  ],
});
