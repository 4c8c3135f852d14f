import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';

/** Something that a person or an endpoint is to be told. */
export interface NewNotification {
  kind: 'attention' | 'weekly_report';
  to: { personId: string } | { endpointId: string };
  subject: string;
  /** What a mail says, or the data of a webhook. */
  content: object;
  /** The Monday of a report, of which a person gets one. */
  week?: string;
}

/** Has it sent once the transaction is committed. */
export async function queueNotifications(
  tx: Sql,
  storeId: string,
  notifications: readonly NewNotification[],
): Promise<void> {
  if (notifications.length === 0) return;
  const rows = notifications.map(({ kind, to, subject, content, week = null }) => {
    const [personId, endpointId] = 'personId' in to ? [to.personId, null] : [null, to.endpointId];
    return sql`(${storeId}::uuid, ${newId()}::uuid, ${kind}, ${personId}::uuid, ${endpointId}::uuid, ${week}::date, ${subject},
      ${JSON.stringify(content)}::json, 'waiting', 0, now(), now())`;
  });
  await sql`
    insert into notification
      (store_id, id, kind, person_id, endpoint_id, week, subject, content, status, attempts, due_at, created_at)
    values ${sql.join(rows)}
    on conflict (store_id, person_id, week) where week is not null do nothing`.execute(tx);
}
