import { defineEntity, p } from '@mikro-orm/postgresql';

/** An image that messages show; the same one is stored once. */
export const ImageEntity = defineEntity({
  name: 'Image',
  tableName: 'image',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** SHA-256 of its bytes. */
    hash: p.blob(),
    type: p.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    bytes: p.blob(),
    size: p.integer(),
    /** Pixels. */
    width: p.integer(),
    height: p.integer(),
    name: p.text(),
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'image_hash', properties: ['storeId', 'hash'] }],
});
