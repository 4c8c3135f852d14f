import { defineEntity, p } from '@mikro-orm/postgresql';

/** The id of a customer who was merged into another, and who that is now. */
export const ProfileAliasEntity = defineEntity({
  name: 'ProfileAlias',
  tableName: 'profile_alias',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    profileId: p.uuid(),
  },
  indexes: [{ name: 'profile_alias_of', properties: ['storeId', 'profileId'] }],
});
