import { defineEntity, p } from '@mikro-orm/postgresql';

/** A list that was deleted, and of which some members may be left. */
export const ListDeletionEntity = defineEntity({
  name: 'ListDeletion',
  tableName: 'list_deletion',
  properties: {
    storeId: p.uuid().primary(),
    listId: p.uuid().primary(),
    deletedAt: p.datetime(6),
    /** The last profile up to which no member is left. */
    reached: p.uuid(),
  },
  indexes: [{ name: 'list_deletion_oldest', properties: ['deletedAt'] }],
});
