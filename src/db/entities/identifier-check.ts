import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';

/** How far the identifiers of a store have been looked at for customers who are split over several spellings. */
export const IdentifierCheckEntity = defineEntity({
  name: 'IdentifierCheck',
  tableName: 'identifier_check',
  properties: {
    /** That of the store. */
    id: p.uuid().primary(),
    /** The canonical form for which it looks, or has looked. */
    form: p.text(),
    /** The last identifier that was looked at. */
    kind: p.text(),
    value: p.text(),
    startedAt: p.datetime(3),
    /** Null while it goes on. */
    endedAt: p.datetime(3).strictNullable(),
    /** How often it has ended for this form. */
    rounds: p.integer(),
    /** Until when a process works at it. */
    takenUntil: p.datetime(3).strictNullable(),
  },
});

export type IdentifierCheckRecord = InferEntity<typeof IdentifierCheckEntity>;
