import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import { countTokens, type RateBucket, type Tokens } from '../../../db/rate-bucket.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { BREAKER_FAILURES } from '../../../engine/breaker.ts';
import { followAliases } from '../../profile-aliases.ts';
import { IS_READY } from '../../senders/find-senders.ts';
import { LIMIT_TODAY, SENT_TODAY, WARM_UP_DAYS } from '../../senders/warm-up.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { AddressDigest } from '../core/address-digest.ts';
import { type Caps, reasonToSkip } from '../core/decide.ts';
import type { FailureReason, MessageChannel, MessageContext, SkipReason } from '../core/message.ts';
import { lockStandings, type StandingOf, type Standings } from '../core/standings.ts';
import {
  type CampaignOfMessage,
  idOfCampaign,
  noteClosed,
  parkMessages,
  readCampaignsOf,
  subjectOf,
} from './campaigns.ts';
import { type DueRow, lockNext } from './due-messages.ts';
import { closedFor, putBack } from './hours.ts';

/** Seconds for which a process has a message to itself that it has taken and not begun to hand over. */
export const CLAIM_LEASE_S = 60;

/** A message that this process alone works on. Times are milliseconds. */
export interface ClaimedMessage {
  id: string;
  profileId: string;
  /** Null: the text of the service. */
  templateId: string | null;
  templateVersion: number | null;
  channel: MessageChannel;
  class: 'marketing' | 'transactional';
  context: MessageContext;
  /** Undefined for what no campaign sends. */
  campaign: Pick<CampaignOfMessage, 'id' | 'name' | 'couponPoolId'> | undefined;
  /** Of its variant; null for that of the template. */
  subject: string | null;
  /** Attempts to hand it over that have failed. */
  attempt: number;
  claim: number;
  expiresAt: number | null;
  createdAt: number;
  address: string;
  profile: StandingOf['profile'];
  /** What a text message is counted as; null before it is made, and for e-mail. */
  segments: number | null;
}

/** What ends a message before it is handed over. */
export type Passed = {
  status: 'skipped' | 'expired' | 'unknown' | 'failed' | 'cancelled';
  reason: SkipReason | FailureReason | null;
};

export interface MessageClaim {
  messages: ClaimedMessage[];
  /** Of those that are not sent, and have ended. */
  passed: Passed[];
  /** The same of those for which a run waits: it is told as it is recorded. */
  awaited: { message: ClaimedMessage; passed: Passed }[];
  /** How many were put aside or back: of paused campaigns, and outside the hours of theirs. */
  parked: number;
  /** Milliseconds until more may be taken, if its rate is what limits it. */
  waitMs: number;
  /** Whether there is nothing to be taken now, whoever asks. */
  isResting: boolean;
}

const BUCKET: RateBucket = {
  owner: 'sender',
  queue: 'message',
  column: 'sender_id',
  isUnderWay: sql`status in ('claimed', 'sending')`,
};

interface SenderRow extends Tokens {
  maxPerSecond: number;
  maxPerDay: number | null;
  maxConcurrent: number;
  failures: number;
  isDeleted: boolean;
  /** All that the store sends waits: see `StoreHold`. */
  isHeld: boolean;
  /** Or its checks do not hold any more: it has been changed since. */
  isResting: boolean;
  sentToday: number;
}

/**
 * Takes messages of a sender that are due, `most` at most and as many as its limits allow over all processes, and decides
 * for each whether it may be sent: consent and caps under the lock of the customer's consent. The lock of the sender's row
 * makes processes take turns. Undefined if there is no such sender.
 */
export async function claimMessages(
  db: Sql,
  storeId: string,
  senderId: string,
  most: number,
  { caps, digestOf }: { caps: Caps; digestOf: AddressDigest },
): Promise<MessageClaim | undefined> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const sender = await lockSender(tx, storeId, senderId);
      if (!sender) return undefined;
      const claim: MessageClaim = {
        messages: [],
        passed: [],
        awaited: [],
        parked: 0,
        waitMs: Math.max(0, Math.ceil(((1 - sender.tokens) / sender.maxPerSecond) * 1000)),
        isResting: sender.isResting || sender.isHeld,
      };
      const allowed = sender.isDeleted ? most : Math.min(most, allowedNow(sender));
      if (sender.isHeld || (sender.isResting && !sender.isDeleted) || allowed < 1) return claim;
      const found = await lockNext(tx, storeId, senderId, allowed);
      const { due: dueNow, parked } = await divide(tx, storeId, found);
      claim.parked = parked.length;
      if (parked.length > 0) await parkMessages(tx, storeId, parked);
      if (dueNow.length === 0) return claim;
      const { due, standings } = await lockThem(tx, storeId, dueNow, { caps, digestOf });
      const now = Date.now();
      const judged = due.map((message) => judge(message, standings.of(message), sender.isDeleted, caps, now));
      const early = judged.flatMap((one) => ('opensAt' in one ? { ...one.message, dueAt: one.opensAt } : []));
      const decided = judged.filter((one): one is Decided => !('opensAt' in one));
      claim.parked += early.length;
      if (early.length > 0) await putBack(tx, storeId, early);
      if (early.length > 0 && found.length === allowed) await noteClosed(tx, storeId, early);
      const taken = decided.filter(({ passed }) => passed === undefined);
      if (decided.length > 0) await write(tx, storeId, decided);
      await spend(tx, storeId, senderId, sender, taken.length, found.length === allowed);
      claim.passed = decided.flatMap(({ passed, hasEnded }) => (passed && hasEnded ? passed : []));
      claim.awaited = decided.flatMap((one) =>
        one.passed && !one.hasEnded ? { message: claimedOf(one), passed: one.passed } : [],
      );
      claim.messages = taken.map(claimedOf);
      return claim;
    }),
  );
}

/** While it does nothing but fail, one at a time. */
function allowedNow({ maxConcurrent, maxPerDay, sentToday, underWay, tokens, failures }: SenderRow): number {
  const concurrent = failures >= BREAKER_FAILURES ? 1 : maxConcurrent;
  const today = maxPerDay === null ? Number.POSITIVE_INFINITY : maxPerDay - sentToday;
  return Math.min(concurrent - underWay, Math.floor(tokens), today);
}

async function lockSender(tx: Sql, storeId: string, id: string): Promise<SenderRow | undefined> {
  const { rows } = await sql<Omit<SenderRow, keyof Tokens>>`
    select max_per_second::float8 as "maxPerSecond", ${LIMIT_TODAY} as "maxPerDay", max_concurrent as "maxConcurrent", failures,
      deleted_at is not null as "isDeleted", coalesce(resting_until > clock_timestamp(), false) or not ${IS_READY} as "isResting",
      ${SENT_TODAY} as "sentToday",
      exists (select from automation_hold h where h.store_id = ${storeId}) as "isHeld"
    from sender s
    where store_id = ${storeId} and id = ${id}
    for update`.execute(tx);
  const [row] = rows;
  return row && { ...row, ...(await countTokens(tx, BUCKET, storeId, id)) };
}

/** With what is known of its campaign. */
type Due = DueRow & { campaign: CampaignOfMessage | undefined };

/** Those that are to be decided about, and those whose campaign is paused. What may have been sent is decided anyway. */
async function divide(tx: Sql, storeId: string, found: readonly DueRow[]): Promise<{ due: Due[]; parked: Due[] }> {
  const campaigns = await readCampaignsOf(tx, storeId, found);
  const all = found.map((row): Due => ({ ...row, campaign: campaigns.get(row.sourceId ?? '') }));
  const waits = ({ status, class: kind, campaign }: Due) =>
    (campaign?.status === 'paused' || campaign?.status === 'held') && !(status === 'sending' && kind === 'marketing');
  return { due: all.filter((one) => !waits(one)), parked: all.filter(waits) };
}

/** Of whoever was merged while the message was made, the one is asked whom they are by now. */
async function lockThem(
  tx: Sql,
  storeId: string,
  due: readonly Due[],
  { caps, digestOf }: { caps: Caps; digestOf: AddressDigest },
): Promise<{ due: readonly Due[]; standings: Standings }> {
  const standings = await lockStandings(tx, storeId, due, caps, digestOf);
  if (due.every((message) => standings.of(message).isKnown)) return { due, standings };
  const followed = await followAliases(tx, storeId, due);
  if (followed === due) return { due, standings };
  return { due: followed, standings: await lockStandings(tx, storeId, followed, caps, digestOf) };
}

/** Whether a message may go, or what ends it before it is handed over, or until when it waits for the hours at which it may go. */
function judge(
  message: Due,
  standing: StandingOf,
  isSenderDeleted: boolean,
  caps: Caps,
  now: number,
): Decided | { message: Due; opensAt: number } {
  const closed = message.status === 'sending' ? undefined : closedFor(message, standing.profile, now);
  const passed = passedAnew(message, isSenderDeleted, standing, caps, now);
  if (closed && !passed) {
    if (closed.otherwise === 'wait') return { message, opensAt: closed.opensAt };
    return { message, standing, passed: { status: 'skipped', reason: 'outside_hours' }, hasEnded: !message.isAwaited };
  }
  // It was being handed over when its process ended: a second one might reach a customer twice.
  if (message.status === 'sending' && (message.class === 'marketing' || passed)) {
    const unknown = { status: 'unknown', reason: 'undecided' } as const;
    return { message, standing, passed: unknown, hasEnded: !message.isAwaited };
  }
  // Of several in this slice, the caps count the first.
  if (!passed && message.class === 'marketing') standing.sentAt.push(now);
  return { message, standing, passed, hasEnded: passed !== undefined && !message.isAwaited };
}

/** What ends a message of which nothing can have been sent; undefined if it may go. */
function passedAnew(
  message: Due,
  isSenderDeleted: boolean,
  standing: StandingOf,
  caps: Caps,
  now: number,
): Passed | undefined {
  const isOver = idOfCampaign(message) !== null && (!message.campaign || message.campaign.status === 'cancelled');
  if (isOver) return { status: 'cancelled', reason: null };
  if (isSenderDeleted) return { status: 'failed', reason: 'sender_deleted' };
  if (message.expiresAt !== null && message.expiresAt <= now) return { status: 'expired', reason: null };
  const reason: SkipReason | undefined = reasonToSkip(message.class, standing, caps, now);
  return reason && { status: 'skipped', reason };
}

interface Decided {
  message: Due;
  standing: StandingOf;
  passed: Passed | undefined;
  /** Whether nothing more is to be done for it. */
  hasEnded: boolean;
}

function claimedOf({ message, standing }: Decided): ClaimedMessage {
  return {
    ...message,
    context: message.context.parse<MessageContext>(),
    claim: message.claim + 1,
    subject: subjectOf(message.campaign, message.variant),
    // Who has none is sent nothing.
    address: standing.address ?? '',
    profile: standing.profile,
    segments: null,
  };
}

async function write(tx: Sql, storeId: string, decided: readonly Decided[]): Promise<void> {
  await sql`
    with decided as (
      select d.*, found.ctid as place from unnest(
        ${uuids(decided.map(({ message }) => message.id))}::uuid[],
        ${texts(decided.map(({ passed, hasEnded }) => (hasEnded ? (passed?.status ?? null) : null)))}::text[],
        ${texts(decided.map(({ passed }) => passed?.reason ?? null))}::text[],
        ${texts(decided.map(({ standing }) => standing.address))}::text[],
        ${uuids(decided.map(({ message }) => message.profileId))}::uuid[]
      ) as d (id, status, reason, address, profile_id)
      cross join lateral (
        select ctid from message where store_id = ${storeId} and ${exactly('id', 'd.id')} order by id limit 1
      ) found
    )
    update message m
    -- What may have been handed over is not to be taken for claimed if this process ends, too.
    set status = coalesce(d.status, case when d.reason = 'undecided' then 'sending' else 'claimed' end), reason = d.reason, address = coalesce(d.address, m.address),
      profile_id = d.profile_id, claim = m.claim + 1,
      due_at = case when d.status is null then clock_timestamp() + make_interval(secs => ${CLAIM_LEASE_S}) end,
      finished_at = case when d.status is not null then now() end
    from decided d
    where m.ctid = d.place`.execute(tx);
}

/** Counted from the time at which they were that many: what has grown meanwhile is not lost. */
async function spend(
  tx: Sql,
  storeId: string,
  senderId: string,
  { tokens, tokensAt }: Tokens,
  taken: number,
  mayHaveMore: boolean,
): Promise<void> {
  await sql`
    update sender s
    -- Where nothing more is due, no more than one is kept for what comes next.
    set tokens = least(case when ${mayHaveMore} then ${tokens}::float8 else 1 end, ${tokens}::float8 - ${taken}::int),
      tokens_at = ${tokensAt}::timestamptz,
      sent_today = ${SENT_TODAY} + ${taken}::int, day = current_date,
      warm_up_days = ${WARM_UP_DAYS}
    where store_id = ${storeId} and id = ${senderId}`.execute(tx);
}
