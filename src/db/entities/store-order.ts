import { defineEntity, p } from '@mikro-orm/postgresql';

/** An order, as its events tell it. */
export const StoreOrderEntity = defineEntity({
  name: 'StoreOrder',
  tableName: 'store_order',
  properties: {
    storeId: p.uuid().primary(),
    /** What the shop calls it; the id of its event if that names none. */
    orderId: p.text().collation('C').primary(),
    /** The first event that placed it. */
    eventId: p.uuid(),
    profileId: p.uuid(),
    placedAt: p.datetime(3),
    currency: p.text().nullable(),
    amount: p.decimal().columnType('numeric').nullable(),
    /** The amount at most. */
    refunded: p.decimal().columnType('numeric'),
    cancelledAt: p.datetime(3).nullable(),
    /** Events that placed it. */
    eventCount: p.integer(),
    /** Whether there are notes of it; otherwise it has all that its only event says. */
    isNoted: p.boolean().default(true),
  },
  indexes: [
    { name: 'store_order_at', properties: ['storeId', 'placedAt', 'eventId'] },
    { name: 'store_order_of_profile', properties: ['storeId', 'profileId', 'placedAt', 'eventId'] },
    {
      name: 'store_order_sample',
      expression: `create index store_order_sample on store_order (store_id, placed_at, profile_id)
        where cancelled_at is null and get_byte(uuid_send(profile_id), 15) >= 224`,
    },
  ],
});
