import { defineEntity, p } from '@mikro-orm/postgresql';

/** What a person proves beside the password, by codes of a device. */
export const SecondFactorEntity = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factor',
  properties: {
    personId: p.uuid().primary(),
    /** Sealed. */
    secret: p.text(),
    /** Of the last code that was accepted. */
    lastStep: p.bigint('number'),
    createdAt: p.datetime(3),
    /** Null until a first code has shown that the person has it. */
    enabledAt: p.datetime(3).strictNullable(),
  },
});
