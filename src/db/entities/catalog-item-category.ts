import { defineEntity, p } from '@mikro-orm/postgresql';

/** That an item is in a category. */
export const CatalogItemCategoryEntity = defineEntity({
  name: 'CatalogItemCategory',
  tableName: 'catalog_item_category',
  properties: {
    storeId: p.uuid().primary(),
    categoryId: p.text().collation('C').primary(),
    itemId: p.text().collation('C').primary(),
  },
  indexes: [{ name: 'catalog_item_category_item', properties: ['storeId', 'itemId'] }],
});
