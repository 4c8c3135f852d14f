import { defineEntity, p } from '@mikro-orm/postgresql';

/** What has changed of an item or a variant that somebody may wait for. */
export const CatalogChangeEntity = defineEntity({
  name: 'CatalogChange',
  tableName: 'catalog_change',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    itemId: p.text().collation('C'),
    variantId: p.text().collation('C').nullable(),
    kind: p.enum([
      ...(['back_in_stock', 'out_of_stock', 'low_stock', 'price_dropped', 'price_raised', 'published'] as const),
      'hidden',
    ]),
    currency: p.text().nullable(),
    /** Prices, or pieces in stock; null where that is not known. */
    before: p.decimal().columnType('numeric').nullable(),
    after: p.decimal().columnType('numeric').nullable(),
    changedAt: p.datetime(3),
  },
  indexes: [{ name: 'catalog_change_of_item', properties: ['storeId', 'itemId', 'id'] }],
});
