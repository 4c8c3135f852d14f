import { defineEntity, p } from '@mikro-orm/postgresql';

/** Lets whoever has its link become a member of a store, once. */
export const InvitationEntity = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** The SHA-256 of what the link ends in. */
    digest: p.blob().unique('invitation_digest_key'),
    /** In lower case; null where whoever has the link chooses it. */
    email: p.text().strictNullable(),
    role: p.text().check("role in ('owner', 'admin', 'marketer', 'analyst', 'support')"),
    /** The person or the key; null where the operator has invited. */
    invitedBy: p.uuid().strictNullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
  },
});
