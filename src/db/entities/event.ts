import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** Something that a customer did. */
export const EventEntity = defineEntity({
  name: 'Event',
  tableName: 'event',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    profileId: p.uuid(),
    eventType: p.text(),
    properties: p.type(RawJsonType).columnType('json'),
    idempotencyKey: p.text().strictNullable(),
    occurredAt: p.datetime(3),
    receivedAt: p.datetime(3),
    /** What the surface it came through needs to return it as it was sent; null where the rest is enough. */
    source: p.type(RawJsonType).columnType('json').strictNullable(),
  },
  indexes: [
    { name: 'event_profile', properties: ['storeId', 'profileId', 'occurredAt', 'id'] },
    { name: 'event_type', properties: ['storeId', 'eventType', 'occurredAt', 'id'] },
    { name: 'event_time', properties: ['storeId', 'occurredAt', 'id'] },
    {
      name: 'event_order_id',
      expression: `create index event_order_id
        on event (store_id, (left(properties ->> 'order_id', 40) collate "C"), occurred_at, id)
        where properties ->> 'order_id' is not null`,
    },
  ],
});

export type EventRecord = InferEntity<typeof EventEntity>;
