import { defineEntity, p } from '@mikro-orm/postgresql';

/** A request for a link or the image of a message; kept for a day. Nothing is kept of who made it. */
export const MessageHitEntity = defineEntity({
  name: 'MessageHit',
  tableName: 'message_hit',
  properties: {
    storeId: p.uuid().primary(),
    messageId: p.uuid().primary(),
    id: p.uuid().primary(),
    hitAt: p.datetime(3),
    /** Null until it was decided whether a person made it. */
    judgedAt: p.datetime(3).nullable(),
    /** The number of the link; 0 for the one that nobody sees, null for an image. */
    link: p.integer().nullable(),
    /** Until it is judged, whether the request said so itself. */
    isMachine: p.boolean(),
    kind: p.enum(['open', 'click']),
    url: p.text().nullable(),
  },
  indexes: [
    { name: 'message_hit_waiting', properties: ['storeId', 'hitAt'], where: 'judged_at is null' },
    { name: 'message_hit_at', properties: ['storeId', 'hitAt'] },
  ],
});
