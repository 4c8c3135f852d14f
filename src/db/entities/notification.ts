import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** Something that a person or an endpoint is told of a store. */
export const NotificationEntity = defineEntity({
  name: 'Notification',
  tableName: 'notification',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    kind: p.text().check("kind in ('attention', 'weekly_report')"),
    personId: p.uuid().nullable(),
    endpointId: p.uuid().nullable(),
    /** The Monday of a report. */
    week: p.date().nullable(),
    subject: p.text(),
    /** What the mail says, or the body of the webhook. */
    content: p.type(RawJsonType).columnType('json'),
    status: p.text().check("status in ('waiting', 'sending', 'sent', 'failed', 'unknown')"),
    reason: p.text().nullable(),
    attempts: p.integer(),
    dueAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    finishedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'notification_of_week', properties: ['storeId', 'personId', 'week'], where: 'week is not null' }],
  indexes: [
    { name: 'notification_due', properties: ['dueAt'], where: 'due_at is not null' },
    { name: 'notification_created', properties: ['createdAt'] },
  ],
});
