import { defineEntity, p } from '@mikro-orm/postgresql';

/** A message that an address did not take, though it may take others, since the last that it took; kept for 30 days. */
export const SoftBounceEntity = defineEntity({
  name: 'SoftBounce',
  tableName: 'soft_bounce',
  properties: {
    storeId: p.uuid().primary(),
    /** An HMAC of the address in its canonical form. */
    digest: p.blob().primary(),
    messageId: p.uuid().primary(),
    bouncedAt: p.datetime(3),
  },
  indexes: [{ name: 'soft_bounce_at', properties: ['storeId', 'bouncedAt'] }],
});
