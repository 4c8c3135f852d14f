import { sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
import { exactly, unindexed } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { breakerRest } from '../../../engine/breaker.ts';
import { applyMessages, type MessageResult } from '../../automations/run-actions.ts';
import type { VersionCache } from '../../automations/stored/version-cache.ts';
import { type Fate, typeOfFate } from '../../tracking/core/event-types.ts';
import { type FateEvent, recordFateEvents } from '../../tracking/message-events.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { AddressDigest } from '../core/address-digest.ts';
import type { MessageStatus } from '../core/message.ts';
import { heedFeedback } from '../heed-feedback.ts';
import type { MadeMail } from '../mail.ts';
import { pauseCampaignsOf, watchCampaigns } from './campaigns.ts';
import type { ClaimedMessage } from './claim.ts';
import { type HandedOver, isFailureOfSender, type Outcome, outcomeOf } from './outcome.ts';

/** What has come of a message that was claimed. */
export interface Settled {
  message: ClaimedMessage;
  /** When it was begun, in milliseconds. */
  at: number;
  /** What came of handing it over, or why it could not be made. */
  result: HandedOver | Outcome;
  /** The mail, where the sender keeps it in place of sending it. */
  kept?: MadeMail | undefined;
}

export interface RecordTools {
  digestOf: AddressDigest;
  versions: VersionCache;
  /** Whether there is an event for each message that is sent. */
  tellsOfSent: boolean;
}

/** What may be known of a message as soon as it is handed over. */
const FATES_AT_ONCE: readonly Fate[] = ['sent', 'bounced', 'complained', 'unsubscribed'];

/** How long the recording may wait for a run that others hold: there are few connections, and other messages wait too. */
const LOCK_TIMEOUT = '300ms';

interface Recorded extends Pick<Settled, 'message' | 'kept'> {
  outcome: Outcome;
}

/**
 * Records what has come of messages, for each that nobody else has taken since; what it means for their sender, and for
 * addresses that do not exist. All in one transaction. Returns what became of each.
 */
export async function recordSettled(
  db: Sql,
  storeId: string,
  senderId: string,
  settled: readonly Settled[],
  tools: RecordTools,
): Promise<Outcome[]> {
  const now = Date.now();
  const recorded = settled.map(({ message, result, kept }): Recorded => {
    const outcome = 'outcome' in result ? outcomeOf(message, result, now, Math.random()) : result;
    return { message, kept, outcome };
  });
  let ours: Recorded[] = [];
  await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const written = await writeOutcomes(tx, storeId, recorded);
      // A row that another transaction moved meanwhile, as a merge of customers does, was not where it was found.
      const missed = recorded.filter(({ message }) => !written.has(message.id));
      if (missed.length > 0) for (const one of await writeOutcomes(tx, storeId, missed)) written.set(...one);
      ours = recorded.filter(({ message }) => written.has(message.id));
      // In the order in which those who claim lock: first the sender, then consents.
      const handedOver = settled.flatMap(({ message, result }) =>
        'outcome' in result && written.has(message.id) ? result : [],
      );
      await writeHealth(tx, storeId, senderId, handedOver, now);
      const ofCampaigns = ours.map(({ message, outcome }) => ({ campaignId: message.campaign?.id ?? null, outcome }));
      await watchCampaigns(tx, storeId, ofCampaigns);
      await heed(tx, storeId, ours, tools);
      const awaited = [...written.values()].filter(isAwaited);
      if (awaited.length > 0) await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(tx);
      await applyMessages(tx, storeId, awaited.map(resultOf), tools.versions);
    }),
  );
  return ours.map(({ outcome }) => outcome);
}

/** Returns those that nobody else has taken since, by their ids. */
async function writeOutcomes(
  tx: Sql,
  storeId: string,
  recorded: readonly Recorded[],
): Promise<Map<string, WrittenRow>> {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const kept = recorded.filter((one) => one.kept !== undefined) as (Recorded & { kept: MadeMail })[];
  const { rows } = await sql<WrittenRow>`
    with settled as (
      select s.*, found.ctid as place from unnest(
        ${uuids(recorded.map(({ message }) => message.id))}::uuid[],
        ${integers(recorded.map(({ message }) => message.claim))}::int[],
        ${texts(recorded.map(({ outcome }) => outcome.status))}::text[],
        ${texts(recorded.map(({ outcome }) => outcome.reason))}::text[],
        ${texts(recorded.map(({ outcome }) => outcome.response))}::text[],
        ${texts(recorded.map(({ outcome }) => time(outcome.dueAt)))}::text[],
        ${integers(recorded.map(({ message }) => message.segments ?? -1))}::int[]
      ) as s (id, claim, status, reason, response, due_at, segments)
      cross join lateral (
        select ctid from message where store_id = ${storeId} and ${exactly('id', 's.id')} order by id limit 1
      ) found
    ), updated as (
      update message m
      set status = s.status, reason = s.reason, response = coalesce(s.response, m.response),
        due_at = s.due_at::timestamptz, attempt = m.attempt + case when s.status = 'waiting' then 1 else 0 end,
        begun_at = case when s.status in ('sent', 'complained') then coalesce(m.begun_at, now()) else m.begun_at end,
        finished_at = case when s.due_at is null then now() end, segments = coalesce(nullif(s.segments, -1), m.segments),
        bounced_at = case when s.status = 'bounced' then now() end,
        complained_at = case when s.status = 'complained' then now() end
      from settled s
      where m.ctid = s.place and m.claim = s.claim and ${unindexed(sql`m.status in ('claimed', 'sending')`)}
      returning m.id, m.run_id, m.seq, m.is_awaited, m.status, m.reason
    ), kept as (
      insert into outbox_message (store_id, message_id, created_at, size, content)
      select ${storeId}::uuid, k.id, now(), k.size, k.content::json
      from updated u
      join unnest(
        ${uuids(kept.map(({ message }) => message.id))}::uuid[],
        ${integers(kept.map((one) => one.kept.raw.length))}::int[],
        ${texts(kept.map((one) => JSON.stringify(one.kept.content)))}::text[]
      ) as k (id, size, content) on k.id = u.id
      on conflict do nothing
    )
    select id, run_id as "runId", seq, is_awaited as "isAwaited", status, reason from updated`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

interface WrittenRow {
  id: string;
  runId: string | null;
  seq: number | null;
  isAwaited: boolean;
  status: MessageStatus;
  reason: string | null;
}

type AwaitedRow = WrittenRow & { runId: string; seq: number };

/** Whether a run waits for it, and nothing more is to be done. */
function isAwaited(row: WrittenRow): row is AwaitedRow {
  return row.isAwaited && row.runId !== null && row.status !== 'waiting';
}

/** What a run is told: what comes back later is no matter to it. */
export function resultOf({ status, runId, seq, reason }: Omit<AwaitedRow, 'id' | 'isAwaited'>): MessageResult {
  const row = { runId, seq, reason };
  if (status === 'complained' || status === 'delivered') return { ...row, result: 'sent' };
  return { ...row, result: status === 'bounced' ? 'failed' : (status as MessageResult['result']) };
}

/** What it says of addresses and of those who have them, and what others hear of it. */
async function heed(tx: Sql, storeId: string, recorded: readonly Recorded[], tools: RecordTools): Promise<void> {
  const told = recorded.flatMap(({ message, outcome: { feedback } }) => {
    const { profileId, channel, address } = message;
    return feedback ? [{ profileId, channel, address, what: feedback }] : [];
  });
  await heedFeedback(tx, storeId, told, tools.digestOf);
  const at = new Date();
  const events = recorded.flatMap(({ message: { id, channel }, outcome }): FateEvent[] => {
    const fate = outcome.feedback === 'opt-out' ? 'unsubscribed' : (outcome.status as Fate);
    const isTold = FATES_AT_ONCE.includes(fate) && (fate !== 'sent' || tools.tellsOfSent);
    return isTold ? [{ messageId: id, eventType: typeOfFate(channel, fate), at }] : [];
  });
  await recordFateEvents(tx, storeId, events);
}

/** A sender that does well is only looked at. */
async function writeHealth(
  tx: Sql,
  storeId: string,
  senderId: string,
  results: readonly HandedOver[],
  now: number,
): Promise<void> {
  const failed = results.filter(isFailureOfSender).length;
  if (results.length === 0) return;
  if (failed < results.length) {
    await sql`
      update sender set failures = 0, resting_until = null
      where store_id = ${storeId} and id = ${senderId} and failures > 0`.execute(tx);
    return;
  }
  const { rows } = await sql<{ failures: number }>`
    update sender set failures = failures + ${failed}
    where store_id = ${storeId} and id = ${senderId} and (resting_until is null or resting_until <= now())
    returning failures`.execute(tx);
  const failures = rows[0]?.failures ?? 0;
  await pauseCampaignsOf(tx, storeId, senderId, failures);
  const rest = breakerRest(failures);
  if (rest === 0) return;
  await sql`
    update sender set resting_until = ${new Date(now + rest).toISOString()}::timestamptz
    where store_id = ${storeId} and id = ${senderId}`.execute(tx);
}
