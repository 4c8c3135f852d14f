import { defineEntity, p } from '@mikro-orm/postgresql';

/** An address that nothing is sent to, whoever has it. */
export const SuppressedAddressEntity = defineEntity({
  name: 'SuppressedAddress',
  tableName: 'suppressed_address',
  properties: {
    storeId: p.uuid().primary(),
    /** An HMAC of the address in its canonical form. */
    digest: p.blob().primary(),
    /** By which they are listed, newest first. */
    id: p.uuid(),
    /** In its canonical form; null once the store is to have forgotten it. */
    address: p.text().nullable(),
    reason: p.enum(['hard_bounce', 'soft_bounces', 'complaint', 'manual', 'unsubscribed']),
    createdAt: p.datetime(3),
    /** Null: for good. */
    until: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'suppressed_address_for', properties: ['storeId', 'reason', 'id'] }],
  uniques: [{ name: 'suppressed_address_by_id', properties: ['storeId', 'id'] }],
});
