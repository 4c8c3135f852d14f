import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** What an event says of an order that several tell of: that it was placed, that something was refunded, or that it was cancelled. */
export const OrderNoteEntity = defineEntity({
  name: 'OrderNote',
  tableName: 'order_note',
  properties: {
    storeId: p.uuid().primary(),
    eventId: p.uuid().primary(),
    orderId: p.text().collation('C'),
    kind: p.enum(['placed', 'refunded', 'cancelled']),
    profileId: p.uuid(),
    notedAt: p.datetime(3),
    currency: p.text().nullable(),
    /** Null of an order that says none, and of a refund of all that it cost. */
    amount: p.decimal().columnType('numeric').nullable(),
  },
  indexes: [
    { name: 'order_note_of_order', properties: ['storeId', 'orderId', 'kind', 'notedAt', 'eventId'] },
    { name: 'order_note_of_profile', properties: ['storeId', 'profileId', 'eventId'] },
  ],
});

export type OrderNoteRecord = InferEntity<typeof OrderNoteEntity>;
