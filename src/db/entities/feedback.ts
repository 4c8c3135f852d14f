import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** What a provider has told of a message, or what was answered to one, once by its own id; kept for 30 days. */
export const FeedbackEntity = defineEntity({
  name: 'Feedback',
  tableName: 'feedback',
  properties: {
    storeId: p.uuid().primary(),
    senderId: p.uuid().primary(),
    /** That of the provider, or one made of what it tells. */
    itemId: p.text().primary(),
    /** Null where the store has no such message. */
    messageId: p.uuid().nullable(),
    occurredAt: p.datetime(3),
    receivedAt: p.datetime(3),
    kind: p.enum([
      ...(['delivered', 'deferred', 'bounced', 'complained', 'unsubscribed'] as const),
      ...(['subscribed', 'help', 'replied'] as const),
    ]),
    /** Whether a customer has the number that an answer came from; null of anything else. */
    isKnown: p.boolean().nullable(),
    /** Whose fault it is that it came back. */
    fault: p.enum(['address', 'passing', 'sender', 'message']).nullable(),
    /** As `5.1.1`. */
    statusCode: p.text().nullable(),
    /** What it was signed by, where that is good for one request only. */
    proof: p.text().nullable(),
    /** The item as it came, or its beginning; null of what went well. */
    raw: p.text().nullable(),
  },
  indexes: [
    { name: 'feedback_of_sender', properties: ['storeId', 'senderId', 'receivedAt'] },
    { name: 'feedback_received', properties: ['storeId', 'receivedAt'] },
    { name: 'feedback_of_message', properties: ['storeId', 'messageId'], where: 'message_id is not null' },
  ],
  uniques: [{ name: 'feedback_proof', properties: ['storeId', 'senderId', 'proof'], where: 'proof is not null' }],
});

export type FeedbackRecord = InferEntity<typeof FeedbackEntity>;
