import { defineEntity, p } from '@mikro-orm/postgresql';

/** A category of items; one without a parent is at the top. */
export const CatalogCategoryEntity = defineEntity({
  name: 'CatalogCategory',
  tableName: 'catalog_category',
  properties: {
    storeId: p.uuid().primary(),
    id: p.text().collation('C').primary(),
    title: p.text(),
    parentId: p.text().collation('C').nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [{ name: 'catalog_category_parent', properties: ['storeId', 'parentId'], where: 'parent_id is not null' }],
});
