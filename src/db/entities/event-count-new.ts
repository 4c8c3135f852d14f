import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** What a batch of events adds to the counts: rows that are only added, and summed up into those of the day. */
export const EventCountNewEntity = defineEntity({
  name: 'EventCountNew',
  tableName: 'event_count_new',
  properties: {
    // The table has no key, and an entity needs one.
    storeId: p.uuid().primary(),
    /** The start of the quarter of an hour. */
    start: p.datetime(3).primary(),
    eventType: p.text().primary(),
    /** The start of the month whose partition holds them. */
    month: p.datetime(3).primary(),
    count: p.integer(),
  },
});

export type EventCountNewRecord = InferEntity<typeof EventCountNewEntity>;
