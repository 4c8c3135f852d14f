import { defineEntity, p } from '@mikro-orm/postgresql';

/** How much a store has of what is bounded. */
export const CatalogCountEntity = defineEntity({
  name: 'CatalogCount',
  tableName: 'catalog_count',
  properties: {
    storeId: p.uuid().primary(),
    items: p.bigint('number').defaultRaw('0'),
    variants: p.bigint('number').defaultRaw('0'),
    categories: p.bigint('number').defaultRaw('0'),
  },
});
