import { defineEntity, p } from '@mikro-orm/postgresql';

/** What a store says of all its messages. */
export const MessageSettingsEntity = defineEntity({
  name: 'MessageSettings',
  tableName: 'message_settings',
  properties: {
    storeId: p.uuid().primary(),
    postalAddress: p.text().nullable(),
    /** Null for the outbox. */
    defaultSenderId: p.uuid().nullable(),
    /** The same for text messages. */
    defaultSmsSenderId: p.uuid().nullable(),
    /** Marketing messages that a customer may get, and within which duration; null for any number. */
    capCount: p.integer().nullable(),
    capWithin: p.text().nullable(),
    /** The duration between two of them; null for none. */
    smartSending: p.text().nullable(),
    trackOpens: p.boolean().default(true),
    trackClicks: p.boolean().default(true),
    /** Whether transactional messages are tracked, too. */
    trackTransactional: p.boolean().default(false),
    /** Types of events that are orders, and refunds of them. */
    conversionTypes: p.array().columnType('text[]').defaultRaw("'{placed_order}'"),
    refundTypes: p.array().columnType('text[]').defaultRaw("'{refunded_order}'"),
    /** Durations in which a click, or an open, leads to an order; the second is null if opens do not. */
    clickWindow: p.text().default('P5D'),
    openWindow: p.text().nullable(),
    /** Whether there is an event for each message that is sent, and delivered. */
    trackSent: p.boolean().default(false),
    trackDelivered: p.boolean().default(false),
    updatedAt: p.datetime(3),
  },
});
