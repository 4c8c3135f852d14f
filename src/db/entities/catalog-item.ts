import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** What a store sells. Prices and stock are its own where it has no variants. */
export const CatalogItemEntity = defineEntity({
  name: 'CatalogItem',
  tableName: 'catalog_item',
  properties: {
    storeId: p.uuid().primary(),
    /** The shop's. */
    id: p.text().collation('C').primary(),
    /** The feed that wrote it last; null for a request. */
    feedId: p.uuid().nullable(),
    title: p.text(),
    description: p.text().nullable(),
    url: p.text().nullable(),
    imageUrl: p.text().nullable(),
    images: p.array().columnType('text[]').defaultRaw("'{}'"),
    brand: p.text().collation('C').nullable(),
    sku: p.text().collation('C').nullable(),
    /** By currency: `price`, and perhaps `compare_at`. */
    prices: p.type(RawJsonType).columnType('jsonb').defaultRaw("'{}'"),
    /** Null where it is not counted. */
    stock: p.integer().nullable(),
    stockPolicy: p.enum(['deny', 'continue']).default('deny'),
    available: p.boolean().default(true),
    attributes: p.type(RawJsonType).columnType('jsonb').defaultRaw("'{}'"),
    status: p.enum(['published', 'hidden']).default('published'),
    hiddenBecause: p.enum(['requested', 'not_in_feed']).nullable(),
    /** By which it is found: those of its title, and what it and its variants are sold as. */
    words: p.array().columnType('text[]').defaultRaw("'{}'"),
    /** As of when its stock and its prices are known. */
    stockAt: p.datetime(3),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  indexes: [
    { name: 'catalog_item_updated', properties: ['storeId', 'updatedAt', 'id'] },
    { name: 'catalog_item_brand', properties: ['storeId', 'brand', 'id'], where: 'brand is not null' },
    { name: 'catalog_item_sku', properties: ['storeId', 'sku'], where: 'sku is not null' },
    { name: 'catalog_item_feed', properties: ['storeId', 'feedId', 'id'], where: 'feed_id is not null' },
  ],
});
