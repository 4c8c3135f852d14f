import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import type { DataTask } from '../../engine/periodic.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import type { MadeMail, MailContent } from './mail.ts';

/** What an outbox keeps of a store: for so long, so many messages, and so many bytes of them. */
const KEPT_FOR = sql`interval '7 days'`;
const [MAX_MESSAGES, MAX_BYTES] = [1_000, 200 * 1024 * 1024];

export interface KeptMail extends MailContent {
  messageId: string;
  /** Of the whole mail, in bytes. */
  size: number;
}

/** Undefined if the store has no such message, or it was not kept. */
export async function findKeptMail(db: Sql, storeId: string, messageId: string): Promise<KeptMail | undefined> {
  const { rows } = await sql<{ size: number; content: RawJson }>`
    select size, content from outbox_message where store_id = ${storeId} and message_id = ${messageId}`.execute(db);
  const [row] = rows;
  return row && { messageId, size: row.size, ...row.content.parse<MailContent>() };
}

/** Keeps a mail that no message of the store is about. */
export async function keepMail(db: Sql, storeId: string, id: string, { raw, content }: MadeMail): Promise<void> {
  await sql`
    insert into outbox_message (store_id, message_id, created_at, size, content)
    values (${storeId}, ${id}, now(), ${raw.length}, ${JSON.stringify(content)}::json)`.execute(db);
}

/** Deletes what outboxes do not keep any more, of each store in turn, from the one after `from`. Returns where it got to. */
async function deleteOldMails(db: Sql, until: number, from: string): Promise<string> {
  let after = from;
  while (performance.now() < until) {
    const { rows } = await sql<{ storeId: string }>`
      select store_id as "storeId" from outbox_message where store_id > ${after} order by store_id limit 1`.execute(db);
    const [store] = rows;
    if (!store) return LOWEST_ID;
    await sql`
      delete from outbox_message
      where store_id = ${store.storeId} and message_id in (
        select message_id from (
          select message_id, created_at, row_number() over newest as n, sum(size) over newest as bytes
          from outbox_message
          where store_id = ${store.storeId}
          window newest as (order by message_id desc)
        ) kept
        where n > ${MAX_MESSAGES} or bytes > ${MAX_BYTES} or created_at < now() - ${KEPT_FOR}
      )`.execute(db);
    after = store.storeId;
  }
  return after;
}

export function deletionOfOldMails(): DataTask {
  // Where there are more stores than one run gets through, the next one goes on.
  let after = LOWEST_ID;
  return {
    failure: 'old mails of outboxes not deleted',
    everyMs: 10_000,
    rows: 'outbox_message',
    forMs: 5_000,
    async run(db, until) {
      after = await deleteOldMails(db, until, after);
    },
  };
}
