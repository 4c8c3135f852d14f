import { defineEntity, p } from '@mikro-orm/postgresql';

/** What came of one attempt to send a delivery. */
export const WebhookAttemptEntity = defineEntity({
  name: 'WebhookAttempt',
  tableName: 'webhook_attempt',
  properties: {
    storeId: p.uuid().primary(),
    deliveryId: p.uuid().primary(),
    number: p.integer().primary(),
    at: p.datetime(3),
    /** Of the answer; null if there was none. */
    status: p.integer().nullable(),
    error: p.text().nullable(),
    ms: p.integer(),
    excerpt: p.text().nullable(),
    /** Whether its request was sent once more, on a new connection. */
    isResent: p.boolean().default(false),
  },
});
