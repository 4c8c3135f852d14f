import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt } from '../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readBefore } from '../reading/cursor.ts';
import { readCircumstances } from './core/circumstances.ts';
import type { Message, MessageStatus } from './core/message.ts';
import { type Unexplained, whyNotSent } from './core/why-not.ts';
import { readCampaignsOf } from './sending/campaigns.ts';

export interface MessageFilter {
  status?: MessageStatus | undefined;
  reason?: string | undefined;
  profileId?: string | undefined;
  senderId?: string | undefined;
  templateId?: string | undefined;
  /** Of a campaign, which began then. */
  campaign?: { id: string; startedAt: Date } | undefined;
  /** Of their creation. */
  from?: Date | undefined;
  to?: Date | undefined;
}

interface MessageRow
  extends Omit<
    Unexplained,
    | 'dueAt'
    | 'expiresAt'
    | 'createdAt'
    | 'begunAt'
    | 'finishedAt'
    | 'deliveredAt'
    | 'bouncedAt'
    | 'complainedAt'
    | 'openedAt'
    | 'clickedAt'
  > {
  due: number | null;
  expires: number | null;
  created: number;
  begun: number | null;
  finished: number | null;
  delivered: number | null;
  bounced: number | null;
  complained: number | null;
  opened: number | null;
  clicked: number | null;
}

const COLUMNS = sql`
  m.id, m.profile_id as "profileId", m.sender_id as "senderId", m.template_id as "templateId",
  m.template_version as "templateVersion", m.source, m.source_id as "sourceId", m.variant,
  m.run_id as "runId", m.step_id as "stepId", m.channel, m.class,
  m.status, m.reason, m.address, m.response, m.attempt as attempts, m.segments,
  m.opens, m.clicks, m.machine_opens as "machineOpens", m.machine_clicks as "machineClicks",
  -- What is due at no time waits for its campaign.
  case when m.status = 'waiting' and isfinite(m.due_at) then (extract(epoch from m.due_at) * 1000)::float8 end as due,
  (extract(epoch from m.expires_at) * 1000)::float8 as expires,
  (extract(epoch from m.created_at) * 1000)::float8 as created,
  (extract(epoch from m.begun_at) * 1000)::float8 as begun,
  (extract(epoch from m.finished_at) * 1000)::float8 as finished,
  (extract(epoch from m.delivered_at) * 1000)::float8 as delivered,
  (extract(epoch from m.bounced_at) * 1000)::float8 as bounced,
  (extract(epoch from m.complained_at) * 1000)::float8 as complained,
  (extract(epoch from m.opened_at) * 1000)::float8 as opened,
  (extract(epoch from m.clicked_at) * 1000)::float8 as clicked`;

/** Messages that are looked at for a page: few of them may fit the filter. */
const MOST_LOOKED_AT = 5_000;

/** Undefined if the store has no such message. */
export async function findMessage(db: Sql, storeId: string, id: string): Promise<Message | undefined> {
  const { rows } = await sql<MessageRow>`
    select ${COLUMNS} from message m where m.store_id = ${storeId} and m.id = ${id}`.execute(db);
  return (await explained(db, storeId, rows))[0];
}

/**
 * Returns messages of a store, the newest first: those that fit among so many that are looked at, and the cursor goes on
 * from there.
 */
export async function listMessages(
  db: Sql,
  storeId: string,
  { status, reason, profileId, senderId, templateId, campaign, from, to }: MessageFilter,
  page: PageRequest,
): Promise<Page<Message>> {
  const cursor = readBefore(page.cursor);
  const [lowest, highest] = campaign
    ? idsOfCampaign(campaign.startedAt)
    : [from ? lowestIdAt(from) : LOWEST_ID, to ? lowestIdAt(to) : HIGHEST_ID];
  const ofProfile = profileId === undefined ? sql`` : sql`and profile_id = ${profileId}`;
  const ofStatus = status === 'unknown' ? sql`and status = 'unknown'` : sql``;
  const order = profileId === undefined ? sql`store_id desc, id desc` : sql`profile_id desc, id desc`;
  const { rows } = await sql<MessageRow & { lookedAt: number; lastId: string }>`
    with looked as (
      select * from message
      where store_id = ${storeId} ${ofProfile} ${ofStatus} and id < ${cursor} and id >= ${lowest} and id < ${highest}
      order by ${order}
      limit ${MOST_LOOKED_AT}
    ), fitting as (
      select * from looked m
      where true
        ${status === undefined ? sql`` : sql`and m.status = ${status}`}
        ${reason === undefined ? sql`` : sql`and m.reason = ${reason}`}
        ${senderId === undefined ? sql`` : sql`and m.sender_id = ${senderId}`}
        ${templateId === undefined ? sql`` : sql`and m.template_id = ${templateId}`}
        ${campaign === undefined ? sql`` : sql`and m.source_id = ${campaign.id}`}
      order by m.id desc
      limit ${page.limit + 1}
    )
    select ${COLUMNS}, t.*
    from (select count(*)::int as "lookedAt", (select id from looked order by id limit 1) as "lastId" from looked) t
    left join fitting m on true
    order by m.id desc`.execute(db);
  const found = rows.filter(({ id }) => id !== null);
  const shown = found.slice(0, page.limit);
  const { lookedAt, lastId } = rows[0] as (typeof rows)[number];
  const last = found.length > page.limit ? shown.at(-1)?.id : lookedAt === MOST_LOOKED_AT ? lastId : undefined;
  return { items: await explained(db, storeId, shown), next: last === undefined ? null : idCursor({ id: last }) };
}

/**
 * Returns what was not sent of the messages that runs of one customer have had sent, the newest first, 100 at most; of the
 * latest messages of that customer.
 */
export async function unsentOfRuns(
  db: Sql,
  storeId: string,
  profileId: string,
  runIds: readonly string[],
): Promise<Message[]> {
  if (runIds.length === 0) return [];
  const { rows } = await sql<MessageRow>`
    select ${COLUMNS} from (
      select * from message
      where store_id = ${storeId} and profile_id = ${profileId}
      order by profile_id desc, id desc
      limit ${MOST_LOOKED_AT}
    ) m
    where m.run_id = any(${uuids(runIds)}::uuid[]) and m.status not in ('sent', 'delivered', 'complained')
    order by m.id desc
    limit 100`.execute(db);
  return (await explained(db, storeId, rows)).filter(({ whyNot }) => whyNot !== null);
}

/** With why each was not sent; what holds up their senders is read where any waits. */
async function explained(db: Sql, storeId: string, rows: readonly MessageRow[]): Promise<Message[]> {
  const waiting = rows.filter(({ status }) => status === 'waiting');
  const senderIds = waiting.map(({ senderId }) => senderId);
  const circumstances = await readCircumstances(db, storeId, senderIds);
  const aside = waiting.filter(({ due }) => due === null);
  const campaigns = await readCampaignsOf(db, storeId, aside);
  const now = Date.now();
  return rows.map((row) => {
    const message = fromRow(row);
    const campaign = campaigns.get(row.sourceId ?? '');
    const isTested = campaign?.status === 'sending' && campaign.subjects !== null && campaign.winner === null;
    const of = circumstances.get(message.senderId);
    return { ...message, whyNot: whyNotSent(message, of && { ...of, isTested }, now) };
  });
}

/** The ids that messages of a campaign have, among a few of others: they are from its first millisecond, which orders them by customer at random. */
export function idsOfCampaign(startedAt: Date): [lowest: string, end: string] {
  return [lowestIdAt(startedAt), lowestIdAt(new Date(startedAt.getTime() + 1))];
}

function fromRow(found: MessageRow): Unexplained {
  const { due, expires, created, begun, finished, delivered, bounced, complained, opened, clicked, ...row } = found;
  return {
    ...row,
    dueAt: toDate(due),
    expiresAt: toDate(expires),
    createdAt: new Date(created),
    begunAt: toDate(begun),
    finishedAt: toDate(finished),
    deliveredAt: toDate(delivered),
    bouncedAt: toDate(bounced),
    complainedAt: toDate(complained),
    openedAt: toDate(opened),
    clickedAt: toDate(clicked),
  };
}

function toDate(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}
