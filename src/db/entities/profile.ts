import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** A customer of a store. */
export const ProfileEntity = defineEntity({
  name: 'Profile',
  tableName: 'profile',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    externalId: p.text().strictNullable(),
    email: p.text().strictNullable(),
    phone: p.text().strictNullable(),
    anonymousId: p.text().strictNullable(),
    /** The id that the customer had in the system they came from. */
    sourceId: p.text().strictNullable(),
    attributes: p.type(RawJsonType).columnType('jsonb'),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    /** As `searchableNames` makes them of the attributes. */
    fullName: p.text().collation('C').lazy().strictNullable(),
    lastName: p.text().collation('C').lazy().strictNullable(),
  },
  indexes: [
    { name: 'profile_full_name', properties: ['storeId', 'fullName', 'id'], where: 'full_name is not null' },
    { name: 'profile_last_name', properties: ['storeId', 'lastName', 'id'], where: 'last_name is not null' },
  ],
});

export type ProfileRecord = InferEntity<typeof ProfileEntity>;
