import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** A version of an automation, which never changes. */
export const AutomationVersionEntity = defineEntity({
  name: 'AutomationVersion',
  tableName: 'automation_version',
  properties: {
    storeId: p.uuid().primary(),
    automationId: p.uuid().primary(),
    number: p.integer().primary(),
    definition: p.type(RawJsonType).columnType('json'),
    /** The attributes whose changes concern its runs. */
    watched: p.array().columnType('text[]'),
    /** What becomes of the runs on earlier versions. */
    inFlight: p.enum(['keep', 'move', 'exit']),
    publishedAt: p.datetime(3),
    /** The id of the key. */
    publishedBy: p.uuid(),
    /** When the members of a segment were there who start as such; null if none do. */
    membersBefore: p.datetime(3).strictNullable(),
  },
});
