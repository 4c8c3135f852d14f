import { defineEntity, p } from '@mikro-orm/postgresql';

/** A click or an open of a message by a person; kept for as long as an order may be credited to it. */
export const MessageTouchEntity = defineEntity({
  name: 'MessageTouch',
  tableName: 'message_touch',
  properties: {
    storeId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    kind: p.enum(['click', 'open']).primary(),
    touchedAt: p.datetime(3).primary(),
    messageId: p.uuid().primary(),
  },
  indexes: [{ name: 'message_touch_at', properties: ['storeId', 'touchedAt'] }],
});
