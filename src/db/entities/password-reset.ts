import { defineEntity, p } from '@mikro-orm/postgresql';

/** A link by which a person chooses a new password. */
export const PasswordResetEntity = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_reset',
  properties: {
    /** The SHA-256 of what the link ends in. */
    digest: p.blob().primary(),
    personId: p.uuid(),
    /** The only store in which the person may be when it is used; null where the operator has made it. */
    storeId: p.uuid().strictNullable(),
    /** The person or the key; null where the operator has made it. */
    madeBy: p.uuid().strictNullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
  indexes: [{ name: 'password_reset_of_person', properties: ['personId'] }],
});
