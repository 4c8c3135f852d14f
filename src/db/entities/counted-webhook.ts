import { defineEntity, p } from '@mikro-orm/postgresql';

/** A webhook of a run that counts as a message to a customer, for the caps of the store; kept for as long as these look back. */
export const CountedWebhookEntity = defineEntity({
  name: 'CountedWebhook',
  tableName: 'counted_webhook',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    channel: p.enum(['email', 'sms']).primary(),
    /** With the number of the effect, as its delivery has them. */
    runId: p.uuid().primary(),
    seq: p.integer().primary(),
    countedAt: p.datetime(3),
  },
  indexes: [{ name: 'counted_webhook_at', properties: ['storeId', 'countedAt'] }],
});
