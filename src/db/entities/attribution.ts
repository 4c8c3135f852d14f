import { defineEntity, p } from '@mikro-orm/postgresql';

/** An order, and the message that led to it, if one did. */
export const AttributionEntity = defineEntity({
  name: 'Attribution',
  tableName: 'attribution',
  properties: {
    storeId: p.uuid().primary(),
    /** The event of the order; of a refund, as long as that of the order is not known. */
    eventId: p.uuid().primary(),
    profileId: p.uuid(),
    messageId: p.uuid().nullable(),
    /** The automation or the campaign of the message. */
    sourceId: p.uuid().nullable(),
    templateId: p.uuid().nullable(),
    orderedAt: p.datetime(3),
    touchedAt: p.datetime(3).nullable(),
    /** The windows of the store as the order was read. */
    clickWindowMs: p.bigint('number'),
    openWindowMs: p.bigint('number').nullable(),
    templateVersion: p.integer().nullable(),
    /** The variant of the message that its customer tried. */
    variant: p.smallint().nullable(),
    /** Whether the order is known, and not only refunds of it. */
    isPlaced: p.boolean(),
    isRefundedWhole: p.boolean().default(false),
    touch: p.enum(['click', 'open']).nullable(),
    source: p.enum(['request', 'automation', 'campaign']).nullable(),
    stepId: p.text().nullable(),
    orderId: p.text().nullable(),
    currency: p.text().nullable(),
    value: p.decimal().columnType('numeric').nullable(),
    /** All that was refunded, which may be more than the value. */
    refunded: p.decimal().columnType('numeric').defaultRaw('0'),
  },
  indexes: [
    {
      name: 'attribution_of_order',
      expression:
        'create unique index attribution_of_order on attribution (store_id, order_id) where order_id is not null',
    },
    { name: 'attribution_of_profile', properties: ['storeId', 'profileId', 'orderedAt'] },
    { name: 'attribution_at', properties: ['storeId', 'orderedAt'], where: 'message_id is not null' },
    {
      name: 'attribution_of_source',
      properties: ['storeId', 'sourceId', 'orderedAt'],
      where: 'source_id is not null',
    },
  ],
});
