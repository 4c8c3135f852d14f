import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { findSender } from '../senders/find-senders.ts';
import { isReady, takes } from '../senders/sender.ts';
import { invalid } from '../service-error.ts';
import { findEndpoint } from '../webhooks/endpoints/find-endpoints.ts';
import { findRecipients, type Recipient } from './recipients.ts';

/** Notifications that are shown, the latest first. */
const RECENT = 20;

export interface NotificationInput {
  /** By whom mails are sent; null for nobody. */
  senderId: string | null;
  /** The webhook endpoint that is told what needs attention; null for none. */
  endpointId: string | null;
}

/** Something that somebody was told, and what became of it. */
export interface SentNotification {
  id: string;
  kind: 'attention' | 'weekly_report';
  personId: string | null;
  endpointId: string | null;
  subject: string;
  status: 'waiting' | 'sending' | 'sent' | 'failed' | 'unknown';
  reason: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface NotificationSettings extends NotificationInput {
  /** Why no mail can be sent; null if it can. */
  problem: MailProblem | null;
  recipients: Recipient[];
  recent: SentNotification[];
  updatedAt: Date | null;
}

export type MailProblem = 'no_sender' | 'sender_not_ready';

type Stored = NotificationInput & { updated: number | null };

/** `db` has the data of the store, `shared` what stores have in common. */
export async function readNotificationSettings(db: Sql, shared: Sql, storeId: string): Promise<NotificationSettings> {
  const { updated, ...stored } = await readStored(shared, storeId);
  return {
    ...stored,
    problem: await mailProblem(db, storeId, stored.senderId),
    recipients: await findRecipients(shared, storeId),
    recent: await readRecent(shared, storeId),
    updatedAt: updated === null ? null : new Date(updated),
  };
}

async function readStored(shared: Sql, storeId: string): Promise<Stored> {
  const { rows } = await sql<Stored>`
    select sender_id as "senderId", endpoint_id as "endpointId", (extract(epoch from updated_at) * 1000)::float8 as updated
    from notification_settings where store_id = ${storeId}`.execute(shared);
  return rows[0] ?? { senderId: null, endpointId: null, updated: null };
}

/** Why the store can't send its people mails; null if it can. */
export async function readMailProblem(db: Sql, shared: Sql, storeId: string): Promise<MailProblem | null> {
  return await mailProblem(db, storeId, (await readStored(shared, storeId)).senderId);
}

async function mailProblem(db: Sql, storeId: string, senderId: string | null): Promise<MailProblem | null> {
  const sender = senderId === null ? undefined : await findSender(db, storeId, senderId);
  if (!sender || sender.deletedAt) return 'no_sender';
  return isReady(sender) ? null : 'sender_not_ready';
}

async function readRecent(shared: Sql, storeId: string): Promise<SentNotification[]> {
  const { rows } = await sql<
    Omit<SentNotification, 'createdAt' | 'finishedAt'> & { created: number; finished: number | null }
  >`
    select id, kind, person_id as "personId", endpoint_id as "endpointId", subject, status, reason,
      (extract(epoch from created_at) * 1000)::float8 as created, (extract(epoch from finished_at) * 1000)::float8 as finished
    from notification where store_id = ${storeId} order by id desc limit ${RECENT}`.execute(shared);
  return rows.map(({ created, finished, ...row }) => ({
    ...row,
    createdAt: new Date(created),
    finishedAt: finished === null ? null : new Date(finished),
  }));
}

/**
 * Replaces the settings, and has the store looked at soon. Throws `validation_error` for a sender or an endpoint that is not
 * there, and for a sender that sends no e-mail or is not ready.
 */
export async function updateNotificationSettings(
  db: Sql,
  shared: Sql,
  storeId: string,
  { senderId, endpointId }: NotificationInput,
): Promise<NotificationSettings> {
  if (senderId !== null) await expectMailSender(db, storeId, senderId);
  if (endpointId !== null) await expectEndpoint(db, storeId, endpointId);
  await sql`
    insert into notification_settings (store_id, sender_id, endpoint_id, check_at, updated_at)
    values (${storeId}, ${senderId}, ${endpointId}, now(), now())
    on conflict (store_id) do update
    set sender_id = excluded.sender_id, endpoint_id = excluded.endpoint_id, check_at = excluded.check_at,
      updated_at = excluded.updated_at`.execute(shared);
  return await readNotificationSettings(db, shared, storeId);
}

async function expectMailSender(db: Sql, storeId: string, id: string): Promise<void> {
  const sender = await findSender(db, storeId, id);
  const refuse = (problem: string) => invalid({ path: ['sender_id'], problem });
  if (!sender || sender.deletedAt) throw refuse('is not the id of a sender');
  if (!takes(sender, 'email')) throw refuse('is that of a sender that sends no e-mail');
  if (!isReady(sender)) throw refuse('is that of a sender whose checks do not hold');
}

async function expectEndpoint(db: Sql, storeId: string, id: string): Promise<void> {
  const endpoint = await findEndpoint(db, storeId, id);
  if (!endpoint || endpoint.deletedAt)
    throw invalid({ path: ['endpoint_id'], problem: 'is not the id of a webhook endpoint' });
}
