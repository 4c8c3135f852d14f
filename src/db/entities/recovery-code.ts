import { defineEntity, p } from '@mikro-orm/postgresql';

/** A code with which a person signs in, once, who has lost the device of the second factor. */
export const RecoveryCodeEntity = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  properties: {
    personId: p.uuid().primary(),
    /** A SHA-256. */
    digest: p.blob().primary(),
  },
});
