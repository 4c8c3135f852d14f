import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** Whether a store may write to a customer through a channel. */
export const ConsentEntity = defineEntity({
  name: 'Consent',
  tableName: 'consent',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    channel: p.enum(['email', 'sms']).primary(),
    status: p.enum(['subscribed', 'unsubscribed', 'never']),
    /** When the customer chose; null for `never`. */
    changedAt: p.datetime(3).strictNullable(),
    source: p.text().strictNullable(),
    suppressedAt: p.datetime(3).strictNullable(),
    suppressionReason: p.text().strictNullable(),
  },
  indexes: [
    {
      name: 'consent_unsubscribed',
      expression: `create index consent_unsubscribed on consent (store_id, channel, profile_id)
        where status = 'unsubscribed'`,
    },
    {
      name: 'consent_suppressed',
      expression: `create index consent_suppressed on consent (store_id, channel, suppression_reason, profile_id)
        where suppression_reason is not null`,
    },
  ],
});

export type ConsentRecord = InferEntity<typeof ConsentEntity>;
