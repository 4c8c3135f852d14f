import { defineEntity, p } from '@mikro-orm/postgresql';

/** A store that has segments; the lock of whoever works on them. */
export const SegmentStoreEntity = defineEntity({
  name: 'SegmentStore',
  tableName: 'segment_store',
  properties: {
    storeId: p.uuid().primary(),
  },
});
