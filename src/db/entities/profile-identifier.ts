import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';

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
  // The condition holds for all; only statements that contain it use the index, so that none prefers it to the key.
  indexes: [
    {
      name: 'profile_identifier_of_profile',
      properties: ['storeId', 'profileId'],
      where: `profile_id > '${LOWEST_ID}'`,
    },
  ],
});

export type ProfileIdentifierRecord = InferEntity<typeof ProfileIdentifierEntity>;
