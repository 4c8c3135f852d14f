import { defineEntity, p } from '@mikro-orm/postgresql';

/** An address that nothing is sent to, whoever has it. */
export const SuppressedAddressEntity = defineEntity({
  name: 'SuppressedAddress',
  tableName: 'suppressed_address',
  properties: {
    storeId: p.uuid().primary(),
    /** An HMAC of the address in its canonical form. */
    digest: p.blob().primary(),
    reason: p.enum(['hard_bounce', 'soft_bounces', 'complaint']),
    createdAt: p.datetime(3),
    /** Null: for good. */
    until: p.datetime(3).nullable(),
  },
});
