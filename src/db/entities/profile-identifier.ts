import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** Whose an identifier is. */
export const ProfileIdentifierEntity = defineEntity({
  name: 'ProfileIdentifier',
  tableName: 'profile_identifier',
  properties: {
    storeId: p.uuid().primary(),
    kind: p.enum(['external_id', 'email', 'phone', 'anonymous_id', 'source_id']).primary(),
    value: p.text().collation('C').primary(),
    profileId: p.uuid(),
  },
});

export type ProfileIdentifierRecord = InferEntity<typeof ProfileIdentifierEntity>;
