import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** A change of attributes that automations watch; an entry of the change feed. */
export const ProfileChangeEntity = defineEntity({
  name: 'ProfileChange',
  tableName: 'profile_change',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    profileId: p.uuid(),
    /** By the attribute's name: `{from, to}`, each absent where there was none. */
    changes: p.type(RawJsonType).columnType('jsonb'),
    /** How many automations led to it, one after the other. */
    depth: p.integer(),
    changedAt: p.datetime(3),
    isHistorical: p.boolean().default(false),
    /** What the automations that led to it began with; null if none did. */
    chain: p.uuid().nullable(),
    /** Whether a page or an app made it, with a public key. */
    fromClient: p.boolean().default(false),
  },
});
