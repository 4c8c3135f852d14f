import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** An address or a number that several customers have, each in another spelling. */
export const IdentifierSplitEntity = defineEntity({
  name: 'IdentifierSplit',
  tableName: 'identifier_split',
  properties: {
    storeId: p.uuid().primary(),
    kind: p.text().primary(),
    /** In its canonical form. */
    value: p.text().collation('C').primary(),
    /** The spellings, each with the profile that has it. */
    owners: p.type(RawJsonType).columnType('json'),
    foundAt: p.datetime(3),
    seenAt: p.datetime(3),
  },
});

export type IdentifierSplitRecord = InferEntity<typeof IdentifierSplitEntity>;
