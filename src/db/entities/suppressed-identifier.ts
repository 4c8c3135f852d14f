import { defineEntity, p } from '@mikro-orm/postgresql';

/** An identifier of somebody who was erased, with which nobody is created. */
export const SuppressedIdentifierEntity = defineEntity({
  name: 'SuppressedIdentifier',
  tableName: 'suppressed_identifier',
  properties: {
    storeId: p.uuid().primary(),
    /** An HMAC of the kind and the value, by the `suppression_key` of the store. */
    digest: p.blob().primary(),
    /** Null: for ever. */
    until: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'suppressed_identifier_until', properties: ['storeId', 'until'], where: 'until is not null' }],
});
