import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** Which events of a store are orders, where they say what, and how far those from before the reader are read. */
export const OrderSettingsEntity = defineEntity({
  name: 'OrderSettings',
  tableName: 'order_settings',
  properties: {
    storeId: p.uuid().primary(),
    placedTypes: p.array().columnType('text[]').defaultRaw("'{placed_order}'"),
    refundedTypes: p.array().columnType('text[]').defaultRaw("'{refunded_order}'"),
    cancelledTypes: p.array().columnType('text[]').defaultRaw("'{cancelled_order,canceled_order}'"),
    orderIdProperties: p.array().columnType('text[]').defaultRaw("'{order_id,OrderId,OrderNumber,orderId,$event_id}'"),
    amountProperties: p.array().columnType('text[]').defaultRaw("'{value,$value}'"),
    currencyProperties: p.array().columnType('text[]').defaultRaw("'{currency,$currency_code}'"),
    /** Former orders are forgotten, former events read, or all is. */
    stage: p.enum(['forgetting', 'reading', 'ready']).default('reading'),
    /** Up to where, in the order of that stage. */
    placeType: p.text().strictNullable(),
    placeAt: p.datetime(3).strictNullable(),
    placeId: p.uuid().strictNullable(),
  },
});

export type OrderSettingsRecord = InferEntity<typeof OrderSettingsEntity>;
