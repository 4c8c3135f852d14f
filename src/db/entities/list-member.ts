import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** A customer in a list. */
export const ListMemberEntity = defineEntity({
  name: 'ListMember',
  tableName: 'list_member',
  properties: {
    storeId: p.uuid().primary(),
    listId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    joinedAt: p.datetime(3),
    how: p.enum(['api', 'subscription', 'import']),
    /** In the words of whoever added the customer. */
    source: p.text().strictNullable(),
  },
});

export type ListMemberRecord = InferEntity<typeof ListMemberEntity>;
