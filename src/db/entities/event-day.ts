import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** How many events of a type happened in a day of UTC. */
export const EventDayEntity = defineEntity({
  name: 'EventDay',
  tableName: 'event_day',
  properties: {
    storeId: p.uuid().primary(),
    day: p.date().primary(),
    eventType: p.text().primary(),
    /** The start of the month whose partition holds them. */
    month: p.datetime(3).primary(),
    /** For each quarter of an hour, what was counted in the day until its end. */
    running: p.array(Number).columnType('int[]'),
  },
  checks: [{ name: 'event_day_counts_check', expression: 'cardinality(running) = 96' }],
});

export type EventDayRecord = InferEntity<typeof EventDayEntity>;
