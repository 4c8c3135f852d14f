import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * The key by which a store's suppressed identifiers are hashed, padded as HMAC does it, so that Postgres itself can hash
 * them. Stores that have erased nobody have none.
 */
export const SuppressionKeyEntity = defineEntity({
  name: 'SuppressionKey',
  tableName: 'suppression_key',
  properties: {
    storeId: p.uuid().primary(),
    innerPad: p.blob(),
    outerPad: p.blob(),
  },
});
