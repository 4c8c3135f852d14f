import { type RawBuilder, sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../reading/cursor.ts';
import type { Check, Sender } from './sender.ts';
import { SENT_TODAY, WARM_UP_DAYS } from './warm-up.ts';

/** An address that leads nowhere (RFC 2606): an outbox sends nothing. */
const OUTBOX_ADDRESS = 'shop@outbox.test';

interface SenderRow {
  id: string;
  kind: Sender['kind'];
  name: string;
  fromEmail: string | null;
  fromName: string | null;
  replyTo: string | null;
  class: Sender['class'];
  isShared: boolean;
  host: string | null;
  port: number | null;
  security: 'tls' | 'starttls' | null;
  userName: string | null;
  password: string | null;
  endpointId: string | null;
  accountSid: string | null;
  apiKeySid: string | null;
  textFrom: string | null;
  messagingServiceSid: string | null;
  dkimSelector: string | null;
  dkimKey: string | null;
  dkimPublicKey: string | null;
  feedbackProvider: Sender['feedbackProvider'];
  maxPerSecond: number;
  maxPerDay: number | null;
  sentToday: number;
  maxConcurrent: number;
  warmUpFirst: number | null;
  warmUpTarget: number | null;
  warmUpDays: number;
  checks: RawJson | null;
  checked: number | null;
  resting: number | null;
  created: number;
  updated: number;
  deleted: number | null;
}

/** A sender, and its secrets as they are kept. */
export interface SenderWithSealed {
  sender: Sender;
  sealedPassword: string | null;
  /** By which its messages are signed. */
  sealedDkimKey: string | null;
}

const ms = (column: string) => sql`(extract(epoch from ${sql.raw(column)}) * 1000)::float8`;

const COLUMNS = sql`
  id, kind, name, from_email as "fromEmail", from_name as "fromName", reply_to as "replyTo", class,
  endpoint_id as "endpointId", account_sid as "accountSid", api_key_sid as "apiKeySid", text_from as "textFrom",
  messaging_service_sid as "messagingServiceSid", is_shared as "isShared", host, port, security, user_name as "userName", password, dkim_selector as "dkimSelector",
  dkim_key as "dkimKey", dkim_public_key as "dkimPublicKey", feedback_provider as "feedbackProvider",
  max_per_second as "maxPerSecond", max_per_day as "maxPerDay", ${SENT_TODAY} as "sentToday",
  max_concurrent as "maxConcurrent",
  warm_up_first as "warmUpFirst", warm_up_target as "warmUpTarget", ${WARM_UP_DAYS} as "warmUpDays", checks,
  ${ms('checked_at')} as checked, ${ms('resting_until')} as resting, ${ms('created_at')} as created,
  ${ms('updated_at')} as updated, ${ms('deleted_at')} as deleted`;

/** Whether messages may be sent by it, as `isReady` says; of a row of `sender s`. */
export const IS_READY = sql`(s.kind = 'outbox' or (
  json_array_length(coalesce(s.checks, '[]')) > 0
  and not exists (select from json_array_elements(s.checks) c where not (c ->> 'ok')::boolean)
))`;

/** Undefined if the store has no such sender. One that is deleted is found, too. */
export async function findSender(db: Sql, storeId: string, id: string): Promise<Sender | undefined> {
  return (await findSealed(db, storeId, id))?.sender;
}

/** The same with its secrets, sealed; `lock` keeps others from changing it meanwhile. */
export async function findSealed(
  db: Sql,
  storeId: string,
  id: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<SenderWithSealed | undefined> {
  const { rows } = await sql<SenderRow>`
    select ${COLUMNS} from sender s where store_id = ${storeId} and id = ${id} ${lock}`.execute(db);
  const [row] = rows;
  return row && { sender: fromRow(row), sealedPassword: row.password, sealedDkimKey: row.dkimKey };
}

/** Returns the outbox of a store, which has one from the first time on that somebody asks. */
export async function outboxOf(db: Sql, storeId: string): Promise<Sender> {
  const find = () =>
    sql<SenderRow>`select ${COLUMNS} from sender s where store_id = ${storeId} and kind = 'outbox'`.execute(db);
  const { rows } = await find();
  if (rows[0]) return fromRow(rows[0]);
  // Of several at the same time, one makes it.
  await sql`
    insert into sender
      (store_id, id, kind, name, from_email, class, max_per_second, max_concurrent, created_at, updated_at)
    values (${storeId}, ${newId()}, 'outbox', 'Outbox', ${OUTBOX_ADDRESS}, 'both', 500, 10, now(), now())
    on conflict do nothing`.execute(db);
  return fromRow((await find()).rows[0] as SenderRow);
}

/** Returns the senders of the store, newest first; with `isDeleted`, only those that are, or are not. */
export async function listSenders(
  db: Sql,
  storeId: string,
  { isDeleted }: { isDeleted: boolean | undefined },
  page: PageRequest,
): Promise<Page<Sender>> {
  await outboxOf(db, storeId);
  const before = readBefore(page.cursor);
  const { rows } = await sql<SenderRow & { candidates?: never }>`
    select ${COLUMNS} from sender s
    where store_id = ${storeId} and id < ${before}
      ${isDeleted === undefined ? sql`` : sql`and (deleted_at is not null) = ${isDeleted}`}
    order by id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, fromRow, idCursor);
}

function fromRow(row: SenderRow): Sender {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    fromEmail: row.fromEmail,
    fromName: row.fromName,
    replyTo: row.replyTo,
    class: row.class,
    settings: settingsOf(row),
    endpointId: row.endpointId,
    twilio: twilioOf(row),
    dkimSelector: row.dkimSelector,
    dkimPublicKey: row.dkimPublicKey,
    feedbackProvider: row.feedbackProvider,
    maxPerSecond: row.maxPerSecond,
    maxPerDay: row.maxPerDay,
    sentToday: row.sentToday,
    maxConcurrent: row.maxConcurrent,
    warmUp: warmUpOf(row),
    checks: row.checks === null ? [] : (JSON.parse(row.checks.text) as Check[]),
    checkedAt: toDate(row.checked),
    restingUntil: toDate(row.resting),
    createdAt: new Date(row.created),
    updatedAt: new Date(row.updated),
    deletedAt: toDate(row.deleted),
  };
}

function settingsOf({ kind, isShared, host, port, security, userName, password }: SenderRow): Sender['settings'] {
  if (kind !== 'smtp') return null;
  if (isShared) return { isShared: true };
  return {
    isShared: false,
    host: host as string,
    port: port as number,
    security: security as 'tls' | 'starttls',
    user: userName,
    isPasswordSet: password !== null,
  };
}

function twilioOf({ accountSid, apiKeySid, textFrom: from, messagingServiceSid }: SenderRow): Sender['twilio'] {
  return accountSid === null ? null : { accountSid, apiKeySid, from, messagingServiceSid };
}

function warmUpOf({ warmUpFirst: first, warmUpTarget: target, warmUpDays: days }: SenderRow): Sender['warmUp'] {
  return first === null || target === null ? null : { first, target, days };
}

function toDate(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}
