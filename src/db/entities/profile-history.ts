import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** A change of a customer, and who made it; only in stores that keep a history. */
export const ProfileHistoryEntity = defineEntity({
  name: 'ProfileHistory',
  tableName: 'profile_history',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    profileId: p.uuid(),
    changedAt: p.datetime(3),
    surface: p.enum(['native', 'compat', 'client', 'automation']),
    /** The id of the operation, or the type of the step. */
    operation: p.text(),
    /** The id of the key, or of the automation; null where neither is known. */
    actor: p.uuid().nullable(),
    /** Whether the customer became known by it. */
    created: p.boolean(),
    /** By the attribute's name: `{from, to}`, each absent where there was none. */
    attributes: p.type(RawJsonType).columnType('jsonb'),
    /** What the customer can be found by since, and what no longer: `{gained: [[kind, value]], lost: [[kind, value]]}`. */
    identifiers: p.type(RawJsonType).columnType('jsonb'),
  },
  indexes: [{ name: 'profile_history_of_profile', properties: ['storeId', 'profileId', 'id'] }],
});
