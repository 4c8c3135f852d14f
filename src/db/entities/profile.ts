import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

const text = (name: string) => `coalesce(btrim(attributes ->> '${name}', ' \t\r\n'), '')`;
/** In lower case and not too long for an index; null where there is none. */
const searchable = (value: string) => `(nullif("left"(lower_name(${value}), 100), '')) stored`;

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
    fullName: p
      .text()
      .collation('C')
      .generated(searchable(`btrim(${text('first_name')} || ' ' || ${text('last_name')})`))
      .lazy()
      .strictNullable(),
    lastName: p
      .text()
      .collation('C')
      .generated(searchable(`case when ${text('first_name')} <> '' then ${text('last_name')} else null end`))
      .lazy()
      .strictNullable(),
  },
  indexes: [
    {
      name: 'profile_updated',
      properties: ['storeId', 'updatedAt', 'id'],
      where: "updated_at > '-infinity'::timestamp with time zone",
    },
    { name: 'profile_full_name', properties: ['storeId', 'fullName', 'id'], where: 'full_name is not null' },
    { name: 'profile_last_name', properties: ['storeId', 'lastName', 'id'], where: 'last_name is not null' },
  ],
});

export type ProfileRecord = InferEntity<typeof ProfileEntity>;
