/**
 * What the sending of messages asks of the campaigns that they are of, and tells them: whether their messages may go, and
 * when they have to pause by themselves.
 */
import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import { rowsById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Row } from '../../../db/tables.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { MessageSource, MessageStatus } from '../core/message.ts';
import { type HoursOfCampaign, hoursOf } from './hours.ts';

/** Messages of a campaign that are looked back at, and how many of them may have come back and been complained about. */
const [RECENT, MAX_BOUNCES, MAX_COMPLAINTS] = [500, 25, 1];
/** Failures of a sender in a row after which campaigns do not go on with it by themselves. */
const MAX_FAILURES = 20;

/** Of messages that were handed over, as far as is known. */
const DECIDED: readonly MessageStatus[] = ['sent', 'delivered', 'bounced', 'complained'];

/** By whose statuses messages are begun; a campaign that was sent may have some that were resolved. */
export const GOING = sql`('preparing', 'sending', 'sent')`;

const IS_GOING_ON = sql`status in ('preparing', 'sending')`;

/** What a message is told of its campaign. */
export interface CampaignOfMessage {
  id: string;
  name: string;
  status: Row<'campaign'>['status'];
  /** From which each recipient gets a code; null for none. */
  couponPoolId: string | null;
  /** Between which its messages are sent; null: at any time. */
  hours: HoursOfCampaign | null;
  /** In place of that of the template, where the variant has none. */
  subject: string | null;
  /** The subject of each variant, null for that of its template; null where everybody gets the same. */
  subjects: readonly (string | null)[] | null;
  /** The variant, from 1, that those get who are no part of the test. */
  winner: number | null;
}

interface OfSource {
  source: MessageSource;
  sourceId: string | null;
}

/** What has become of a message of a campaign. */
interface Outcome {
  status: MessageStatus;
  reason: string | null;
}

/** What is told of it later than that it was sent, which was counted then. */
interface Watched {
  campaignId: string | null;
  outcome: Outcome;
  wasSent?: boolean;
}

/** Returns the campaigns of messages by their ids. */
export async function readCampaignsOf(
  tx: Sql,
  storeId: string,
  messages: readonly OfSource[],
): Promise<Map<string, CampaignOfMessage>> {
  const ids = [...new Set(messages.flatMap((message) => idOfCampaign(message) ?? []))];
  if (ids.length === 0) return new Map();
  const { rows } = await sql<
    Omit<CampaignOfMessage, 'subjects' | 'hours'> & { variants: RawJson | null; timing: RawJson | null }
  >`
    select c.id, c.name, c.status, c.subject, c.variants, c.winner, c.timing,
      c.coupon_pool_id as "couponPoolId"
    from ${rowsById('campaign', storeId, ids)} c`.execute(tx);
  return new Map(
    rows.map(({ variants, timing, ...row }) => {
      const subjects = variants?.parse<{ subject: string | null }[]>().map(({ subject }) => subject) ?? null;
      return [row.id, { ...row, subjects, hours: hoursOf(timing) }];
    }),
  );
}

/** The subject of a message in place of that of its template; null if it has none of its own. */
export function subjectOf(campaign: CampaignOfMessage | undefined, variant: number | null): string | null {
  const number = variant ?? campaign?.winner ?? null;
  const own = number === null ? null : campaign?.subjects?.[number - 1];
  return own || campaign?.subject || null;
}

/** Null for a message that is not of a campaign. */
export function idOfCampaign({ source, sourceId }: OfSource): string | null {
  return source === 'campaign' ? sourceId : null;
}

/**
 * Has messages of campaigns that are paused, which the caller holds, wait until these go on: what goes on just now lets them
 * go once more.
 */
export async function parkMessages(
  tx: Sql,
  storeId: string,
  messages: readonly (OfSource & { id: string })[],
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  const campaignIds = [...new Set(messages.flatMap((message) => idOfCampaign(message) ?? []))];
  await sql`
    update campaign
    set has_parked = true, due_at = case when ${IS_GOING_ON} then now() else due_at end,
      changed = case when ${IS_GOING_ON} then ${LOWEST_ID} else changed end
    where store_id = ${storeId} and id = any(array(
      select id from campaign where store_id = ${storeId} and id = any(${uuids(campaignIds)}::uuid[])
      order by id for no key update
    ))`.execute(tx);
  await sql`
    update message m set status = 'waiting', due_at = 'infinity'
    where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])`.execute(tx);
}

/**
 * Has campaigns put back by themselves what may not be sent at this hour: claims take no more than a sender may send. One whose
 * row somebody else holds is told by the next claim.
 */
export async function noteClosed(tx: Sql, storeId: string, messages: readonly OfSource[]): Promise<void> {
  const ids = [...new Set(messages.flatMap((message) => idOfCampaign(message) ?? []))];
  await sql`
    update campaign set has_closed = true, due_at = now()
    where store_id = ${storeId} and id = any(array(
      select id from campaign
      where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) and ${IS_GOING_ON} and not has_closed
      order by id for no key update skip locked
    ))`.execute(tx);
}

/**
 * Counts for each campaign what came of its messages, and pauses those of which too many of the last come back or are
 * complained about, or whose template takes too long. That a recipient is refused is no reason.
 */
export async function watchCampaigns(tx: Sql, storeId: string, recorded: readonly Watched[]): Promise<void> {
  const byCampaign = Map.groupBy(recorded, ({ campaignId }) => campaignId);
  // In one order: no two transactions deadlock.
  for (const id of [...byCampaign.keys()].sort()) {
    if (id === null) continue;
    const some = byCampaign.get(id) ?? [];
    const outcomes = some.map(({ outcome }) => outcome);
    const count = (status: Outcome['status']) => outcomes.filter((outcome) => outcome.status === status).length;
    const [bounces, complaints] = [count('bounced'), count('complained')];
    const decided = some.filter(({ wasSent, outcome }) => !wasSent && DECIDED.includes(outcome.status)).length;
    if (outcomes.some(({ reason }) => reason === 'template_too_slow')) {
      await pause(tx, storeId, sql`id = ${id}`, 'template_too_slow');
    }
    if (decided + bounces + complaints > 0) await countRecent(tx, storeId, id, { decided, bounces, complaints });
  }
}

/** Older ones count the less, the more there have been since: together they are as many as are looked back at. */
async function countRecent(
  tx: Sql,
  storeId: string,
  id: string,
  { decided, bounces, complaints }: { decided: number; bounces: number; complaints: number },
): Promise<void> {
  const hasTrouble = bounces + complaints > 0;
  const left = sql`least(1, ${RECENT - Math.min(decided, RECENT)} / greatest(recent, 1))`;
  const { rows } = await sql<{ bounces: number; complaints: number }>`
    update campaign
    set recent = recent * ${left} + ${decided}, recent_bounces = recent_bounces * ${left} + ${bounces},
      recent_complaints = recent_complaints * ${left} + ${complaints}
    where store_id = ${storeId} and id = (
      select id from campaign where store_id = ${storeId} and id = ${id}
      -- What went well is not worth waiting for whoever looks for more recipients.
      for update ${hasTrouble ? sql`` : sql`skip locked`}
    )
    returning recent_bounces as bounces, recent_complaints as complaints`.execute(tx);
  const [row] = rows;
  if (!row || !hasTrouble) return;
  if (row.bounces > MAX_BOUNCES) await pause(tx, storeId, sql`id = ${id}`, 'too_many_bounces');
  else if (row.complaints > MAX_COMPLAINTS) await pause(tx, storeId, sql`id = ${id}`, 'too_many_complaints');
}

/** Pauses what is sent by a sender that does nothing but fail. */
export async function pauseCampaignsOf(tx: Sql, storeId: string, senderId: string, failures: number): Promise<void> {
  if (failures < MAX_FAILURES) return;
  const isOfVariant = sql`exists (select from json_array_elements(variants) v where v ->> 'senderId' = ${senderId})`;
  await pause(tx, storeId, sql`(sender_id = ${senderId} or ${isOfVariant})`, 'sender_failing');
}

/** Pauses a campaign whose pool has no code for a recipient. */
export async function pauseWithoutCodes(
  tx: Sql,
  storeId: string,
  campaignId: string,
  reason: 'coupon_pool_empty' | 'coupon_pool_expired',
): Promise<void> {
  await pause(tx, storeId, sql`id = ${campaignId}`, reason);
}

async function pause(tx: Sql, storeId: string, which: ReturnType<typeof sql>, reason: string): Promise<void> {
  await sql`
    update campaign
    set status = 'paused', reason = ${reason}, has_parked = true, changed = default, due_at = now(), updated_at = now()
    where store_id = ${storeId} and ${which} and status in ('preparing', 'sending')`.execute(tx);
}
