import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { invalid } from '../service-error.ts';
import type { TemplateClass } from '../templates/draft.ts';
import { findSender, outboxOf } from './find-senders.ts';
import { firstFailing, isReady, type Sender } from './sender.ts';

/**
 * Returns the sender of a message: the one that is asked for, or the default one of the store, which is its outbox until
 * another is chosen. Throws `validation_error` for `sender_id` if it may not send messages of the class, or none yet.
 */
export async function chosenSender(
  db: Sql,
  storeId: string,
  id: string | undefined,
  messageClass: TemplateClass,
): Promise<Sender> {
  const sender = id === undefined ? await defaultSender(db, storeId) : await existing(db, storeId, id);
  if (sender.class !== 'both' && sender.class !== messageClass) {
    throw refused(`is that of a sender for ${sender.class} messages, and this one is ${messageClass}`);
  }
  if (!isReady(sender)) {
    const failing = firstFailing(sender);
    throw refused(
      failing === null
        ? 'is that of a sender that has not been checked (checkSender)'
        : `is that of a sender that is not ready: its check ${failing} fails`,
    );
  }
  return sender;
}

async function existing(db: Sql, storeId: string, id: string): Promise<Sender> {
  const sender = isId(id) ? await findSender(db, storeId, id) : undefined;
  if (!sender || sender.deletedAt !== null) throw refused('is not the id of a sender');
  return sender;
}

async function defaultSender(db: Sql, storeId: string): Promise<Sender> {
  const { rows } = await sql<{ id: string | null }>`
    select default_sender_id as id from message_settings where store_id = ${storeId}`.execute(db);
  const id = rows[0]?.id;
  const sender = id ? await findSender(db, storeId, id) : undefined;
  return sender && sender.deletedAt === null ? sender : await outboxOf(db, storeId);
}

function refused(problem: string) {
  return invalid({ path: ['sender_id'], problem });
}
