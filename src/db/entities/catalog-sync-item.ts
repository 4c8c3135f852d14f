import { defineEntity, p } from '@mikro-orm/postgresql';

/** That an item came with a load of the whole catalog. */
export const CatalogSyncItemEntity = defineEntity({
  name: 'CatalogSyncItem',
  tableName: 'catalog_sync_item',
  properties: {
    storeId: p.uuid().primary(),
    syncId: p.uuid().primary(),
    itemId: p.text().collation('C').primary(),
  },
});
