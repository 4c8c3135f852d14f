import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** One of the ways in which an item is sold: by size, by colour. It never changes its item. */
export const CatalogVariantEntity = defineEntity({
  name: 'CatalogVariant',
  tableName: 'catalog_variant',
  properties: {
    storeId: p.uuid().primary(),
    id: p.text().collation('C').primary(),
    itemId: p.text().collation('C'),
    title: p.text().nullable(),
    sku: p.text().collation('C').nullable(),
    options: p.type(RawJsonType).columnType('jsonb').defaultRaw("'{}'"),
    url: p.text().nullable(),
    imageUrl: p.text().nullable(),
    prices: p.type(RawJsonType).columnType('jsonb').defaultRaw("'{}'"),
    stock: p.integer().nullable(),
    stockPolicy: p.enum(['deny', 'continue']).default('deny'),
    available: p.boolean().default(true),
    attributes: p.type(RawJsonType).columnType('jsonb').defaultRaw("'{}'"),
    stockAt: p.datetime(3),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [
    { name: 'catalog_variant_of_item', properties: ['storeId', 'itemId', 'id'] },
    { name: 'catalog_variant_sku', properties: ['storeId', 'sku'], where: 'sku is not null' },
  ],
});
