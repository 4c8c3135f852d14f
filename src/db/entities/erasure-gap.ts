import { defineEntity, p } from '@mikro-orm/postgresql';

/** A store that was restored from a backup, and in which whoever was erased since has not been erased again. */
export const ErasureGapEntity = defineEntity({
  name: 'ErasureGap',
  tableName: 'erasure_gap',
  properties: {
    storeId: p.uuid().primary(),
    restoredAt: p.datetime(3),
  },
});
