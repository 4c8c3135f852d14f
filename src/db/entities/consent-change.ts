import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** A change of consent as it was sent, kept for proof. */
export const ConsentChangeEntity = defineEntity({
  name: 'ConsentChange',
  tableName: 'consent_change',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    id: p.uuid().primary(),
    channel: p.enum(['email', 'sms']),
    kind: p.enum(['subscribed', 'unsubscribed', 'suppressed', 'unsuppressed']),
    listId: p.text().strictNullable(),
    changedAt: p.datetime(3),
    source: p.text().strictNullable(),
    /** Of a suppression. */
    reason: p.text().strictNullable(),
    /** Whether it changed anything: not if the customer had chosen later, or so already. */
    applied: p.boolean(),
    recordedAt: p.datetime(3),
    /** Whether a page or an app sent it, with a public key. */
    isFromClient: p.boolean().fieldName('from_client').defaultRaw('false'),
  },
});

export type ConsentChangeRecord = InferEntity<typeof ConsentChangeEntity>;
