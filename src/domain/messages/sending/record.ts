import { sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { breakerRest } from '../../../engine/breaker.ts';
import { applyMessages, type MessageResult } from '../../automations/run-actions.ts';
import type { VersionCache } from '../../automations/stored/version-cache.ts';
import type { ConsentChange } from '../../consent/consent.ts';
import { recordConsents } from '../../consent/record-consents.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { AddressDigest } from '../core/address-digest.ts';
import type { MessageStatus } from '../core/message.ts';
import type { MadeMail } from '../mail.ts';
import { suppressAddresses } from '../suppressions.ts';
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

const SUPPRESSIONS = [
  ['bounce', 'hard_bounce'],
  ['complaint', 'complaint'],
] as const;

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
  { digestOf, versions }: { digestOf: AddressDigest; versions: VersionCache },
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
      ours = recorded.filter(({ message }) => written.has(message.id));
      // In the order in which those who claim lock: first the sender, then consents.
      const handedOver = settled.flatMap(({ message, result }) =>
        'outcome' in result && written.has(message.id) ? result : [],
      );
      await writeHealth(tx, storeId, senderId, handedOver, now);
      const ofCampaigns = ours.map(({ message, outcome }) => ({ campaignId: message.campaign?.id ?? null, outcome }));
      await watchCampaigns(tx, storeId, ofCampaigns);
      await recordFeedback(tx, storeId, ours, digestOf);
      const awaited = [...written.values()].filter(isAwaited);
      if (awaited.length > 0) await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(tx);
      await applyMessages(tx, storeId, awaited.map(resultOf), versions);
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
        finished_at = case when s.due_at is null then now() end, segments = coalesce(nullif(s.segments, -1), m.segments)
      from settled s
      where m.ctid = s.place and m.claim = s.claim and m.status in ('claimed', 'sending')
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
function resultOf({ status, runId, seq, reason }: AwaitedRow): MessageResult {
  const row = { runId, seq, reason };
  if (status === 'complained') return { ...row, result: 'sent' };
  return { ...row, result: status === 'bounced' ? 'failed' : (status as MessageResult['result']) };
}

/**
 * Nothing is sent any more to an address that does not exist, or whose owner has complained, whoever has it; and the
 * customer's consent shows it.
 */
async function recordFeedback(
  tx: Sql,
  storeId: string,
  recorded: readonly Recorded[],
  digestOf: AddressDigest,
): Promise<void> {
  const told = recorded.flatMap(({ message, outcome: { feedback } }) => (feedback ? { message, feedback } : []));
  if (told.length === 0) return;
  for (const [feedback, reason] of SUPPRESSIONS) {
    const of = told.filter((one) => one.feedback === feedback).map(({ message }) => message.address);
    if (of.length > 0) await suppressAddresses(tx, storeId, of, digestOf, reason);
  }
  const change = { changedAt: new Date(), isNow: true, source: 'message' } as const;
  await recordConsents(
    tx,
    storeId,
    told.flatMap(({ message: { profileId, channel }, feedback }): ConsentChange[] =>
      feedback === 'bounce'
        ? [{ ...change, profileId, channel, kind: 'suppressed', reason: 'HARD_BOUNCE' }]
        : [
            { ...change, profileId, channel, kind: 'suppressed', reason: 'SPAM_COMPLAINT' },
            { ...change, profileId, channel, kind: 'unsubscribed' },
          ],
    ),
  );
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
