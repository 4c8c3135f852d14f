import { defineEntity, p } from '@mikro-orm/postgresql';

/** A word by which an item is found, one of its `words`. */
export const CatalogWordEntity = defineEntity({
  name: 'CatalogWord',
  tableName: 'catalog_word',
  properties: {
    storeId: p.uuid().primary(),
    word: p.text().collation('C').primary(),
    itemId: p.text().collation('C').primary(),
  },
});
