import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** A whole message that an outbox keeps in place of sending it. */
export const OutboxMessageEntity = defineEntity({
  name: 'OutboxMessage',
  tableName: 'outbox_message',
  properties: {
    storeId: p.uuid().primary(),
    messageId: p.uuid().primary(),
    createdAt: p.datetime(3),
    /** Of the whole mail, in bytes. */
    size: p.integer(),
    /** `{ subject, html, text, headers }` */
    content: p.type(RawJsonType).columnType('json'),
  },
});
