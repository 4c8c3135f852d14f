import { defineEntity, p } from '@mikro-orm/postgresql';

/** A load of a whole catalog by requests, which hides what did not come with it. */
export const CatalogSyncEntity = defineEntity({
  name: 'CatalogSync',
  tableName: 'catalog_sync',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    status: p.enum(['open', 'hiding', 'complete']),
    /** No item up to this one is left to hide. */
    reached: p.text().collation('C').default(''),
    hidden: p.integer().default(0),
    createdAt: p.datetime(3),
    /** When everything had come. */
    endedAt: p.datetime(3).nullable(),
  },
});
