import { sql } from 'kysely';
import { texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import { rowsById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { applyMessages } from '../../automations/run-actions.ts';
import type { VersionCache } from '../../automations/stored/version-cache.ts';
import { noteChanged } from '../../campaign-counts.ts';
import { readMessageSettings } from '../../senders/message-settings.ts';
import type { WithConnection } from '../../store-connections.ts';
import { type Fate, typeOfFate } from '../../tracking/core/event-types.ts';
import {
  COLUMNS_OF_EVENT,
  type MessageEvent,
  type MessageOfEvent,
  recordMessageEvents,
} from '../../tracking/message-events.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { type AddressDigest, openAddressDigest } from '../core/address-digest.ts';
import type { MessageChannel, MessageSource } from '../core/message.ts';
import type { FeedbackRecorded } from '../feedback-recorded.ts';
import { type Heeded, heedFeedback } from '../heed-feedback.ts';
import { idOfCampaign, watchCampaigns } from '../sending/campaigns.ts';
import { resultOf } from '../sending/record.ts';
import { faultOf } from './classify.ts';
import type { FeedbackItem, Proof, ToldFeedback } from './item.ts';
import { isOpen, type MessageState, nextState } from './next-state.ts';
import { keepProof } from './proofs.ts';
import { countSoftBounces } from './soft-bounces.ts';

/** Items that are recorded in one transaction: others of the store wait for no more. */
const MOST_AT_ONCE = 250;
/** Characters of an item that are kept. */
const MAX_RAW = 4_096;

/**
 * Records what a provider tells of messages, each item once, whichever processes are told it, and what follows from it. What
 * was recorded of a request that fails half-way is repeated with the rest of it. Throws `ReusedProof`.
 */
export async function recordFeedback(
  writing: WithConnection,
  storeId: string,
  senderId: string,
  { items, proof }: ToldFeedback,
  versions: VersionCache,
): Promise<FeedbackRecorded> {
  const sum: FeedbackRecorded = { recorded: 0, repeated: 0, unmatched: 0 };
  const byId = new Map(items.map((item) => [item.id, item]));
  sum.repeated += items.length - byId.size;
  // In one order: no two transactions deadlock.
  const inOrder = [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  // What proves a request is kept with the first of it, also where there is nothing to record.
  for (let from = 0; from < inOrder.length || (from === 0 && proof); from += MOST_AT_ONCE) {
    const some = inOrder.slice(from, from + MOST_AT_ONCE);
    const recorded = await writing(storeId, async (db, shared) => {
      const digestOf = await openAddressDigest(shared);
      return await retryConflicts(db, () =>
        db
          .transaction()
          .execute((tx) => recordSome(tx, storeId, senderId, some, from === 0 ? proof : null, { digestOf, versions })),
      );
    });
    sum.recorded += recorded.recorded;
    sum.repeated += recorded.repeated;
    sum.unmatched += recorded.unmatched;
  }
  return sum;
}

interface MessageRow extends MessageOfEvent, MessageState {
  source: MessageSource;
  channel: MessageChannel;
  address: string | null;
  seq: number | null;
  isAwaited: boolean;
}

/** An item that was told for the first time, and what is known of its message by then. */
interface Step {
  item: FeedbackItem;
  message: MessageRow;
  before: MessageState;
  after: MessageState;
}

async function recordSome(
  tx: Sql,
  storeId: string,
  senderId: string,
  items: readonly FeedbackItem[],
  proof: Proof | null,
  { digestOf, versions }: { digestOf: AddressDigest; versions: VersionCache },
): Promise<FeedbackRecorded> {
  if (proof) await keepProof(tx, storeId, senderId, proof);
  if (items.length === 0) return { recorded: 0, repeated: 0, unmatched: 0 };
  const messages = await lockMessages(
    tx,
    storeId,
    items.flatMap(({ messageId }) => messageId ?? []),
  );
  const fresh = await insertItems(tx, storeId, senderId, items, messages);
  const states = new Map<string, MessageState>(messages);
  const steps = items.flatMap((item): Step[] => {
    const message = messages.get(item.messageId ?? '');
    if (!fresh.has(item.id) || !message) return [];
    const before = states.get(message.id) as MessageState;
    const after = nextState(before, item);
    states.set(message.id, after);
    return [{ item, message, before, after }];
  });
  await writeStates(
    tx,
    storeId,
    [...messages.values()].filter((row) => states.get(row.id) !== row),
    states,
  );
  await follow(tx, storeId, steps, digestOf);
  await tellRuns(tx, storeId, messages, states, versions);
  return { recorded: steps.length, repeated: items.length - fresh.size, unmatched: fresh.size - steps.length };
}

async function lockMessages(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, MessageRow>> {
  if (ids.length === 0) return new Map();
  const at = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`;
  const { rows } = await sql<MessageRow>`
    select ${COLUMNS_OF_EVENT}, channel, address, status, reason, response, seq, is_awaited as "isAwaited",
      ${at('begun_at')} as "begunAt", ${at('delivered_at')} as "deliveredAt", ${at('bounced_at')} as "bouncedAt",
      ${at('complained_at')} as "complainedAt"
    from message
    where store_id = ${storeId} and id = any(array(
      select m.id from ${rowsById('message', storeId, [...new Set(ids)])} m
    ))
    order by id
    for update`.execute(tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the ids of those that were not told before. */
async function insertItems(
  tx: Sql,
  storeId: string,
  senderId: string,
  items: readonly FeedbackItem[],
  messages: ReadonlyMap<string, unknown>,
): Promise<Set<string>> {
  // Of strangers nothing is kept.
  const isKept = ({ kind, messageId }: FeedbackItem) =>
    kind !== 'delivered' && kind !== 'deferred' && messages.has(messageId ?? '');
  const rawOf = (item: FeedbackItem) => (isKept(item) ? item.raw.slice(0, MAX_RAW).replaceAll('\0', '') : null);
  const { rows } = await sql<{ id: string }>`
    insert into feedback
      (store_id, sender_id, item_id, message_id, occurred_at, received_at, kind, fault, status_code, raw)
    select ${storeId}::uuid, ${senderId}::uuid, i.id, i.message_id::uuid, i.at, now(), i.kind, i.fault, i.code, i.raw
    from unnest(
      ${texts(items.map(({ id }) => id))}::text[],
      ${texts(items.map(({ messageId }) => (messages.has(messageId ?? '') ? messageId : null)))}::text[],
      ${timestamps(items.map(({ occurredAt }) => occurredAt))}::timestamptz[],
      ${texts(items.map(({ kind }) => kind))}::text[],
      ${texts(items.map((item) => (item.kind === 'bounced' ? faultOf(item) : null)))}::text[],
      ${texts(items.map(({ statusCode }) => statusCode))}::text[],
      ${texts(items.map(rawOf))}::text[]
    ) as i (id, message_id, at, kind, fault, code, raw)
    on conflict do nothing
    returning item_id as id`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

async function writeStates(
  tx: Sql,
  storeId: string,
  rows: readonly MessageRow[],
  states: ReadonlyMap<string, MessageState>,
): Promise<void> {
  if (rows.length === 0) return;
  const all = rows.map(({ id }) => states.get(id) as MessageState);
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const column = (value: (state: MessageState) => string | null) => sql`${texts(all.map(value))}::text[]`;
  await sql`
    update message m
    set status = s.status, reason = s.reason, response = s.response, due_at = null,
      finished_at = coalesce(m.finished_at, now()), delivered_at = s.delivered::timestamptz,
      bounced_at = s.bounced::timestamptz, complained_at = s.complained::timestamptz
    from unnest(
      ${uuids(rows.map(({ id }) => id))}::uuid[],
      ${column(({ status }) => status)}, ${column(({ reason }) => reason)}, ${column(({ response }) => response)},
      ${column(({ deliveredAt }) => time(deliveredAt))}, ${column(({ bouncedAt }) => time(bouncedAt))},
      ${column(({ complainedAt }) => time(complainedAt))}
    ) as s (id, status, reason, response, delivered, bounced, complained)
    where m.store_id = ${storeId} and m.id = s.id`.execute(tx);
}

/** What a bounce and the like mean for campaigns, addresses, consent, and those who follow events. */
async function follow(tx: Sql, storeId: string, steps: readonly Step[], digestOf: AddressDigest): Promise<void> {
  const watched = steps.flatMap(({ message, before, after }) =>
    after.status === before.status
      ? []
      : [{ campaignId: idOfCampaign(message), outcome: after, wasSent: isCounted(before) }],
  );
  await watchCampaigns(tx, storeId, watched);
  const changed = steps.filter(({ before, after }) => after !== before);
  await noteChanged(
    tx,
    storeId,
    changed.map(({ message }) => message),
  );
  const attempts = (which: (item: FeedbackItem) => boolean) =>
    steps.flatMap(({ item, message: { id, address, begunAt } }) =>
      address !== null && begunAt !== null && which(item) ? [{ address, messageId: id, at: item.occurredAt }] : [],
    );
  await countSoftBounces(
    tx,
    storeId,
    {
      bounces: attempts((item) => item.kind === 'bounced' && faultOf(item) === 'passing'),
      deliveries: attempts(({ kind }) => kind === 'delivered'),
    },
    digestOf,
  );
  await heedFeedback(tx, storeId, steps.flatMap(heededOf), digestOf);
  const { tracking } = await readMessageSettings(tx, storeId);
  await recordMessageEvents(
    tx,
    storeId,
    steps.flatMap((step) => eventsOf(step, tracking)),
  );
}

/** Whether its campaign has counted it as handed over. */
function isCounted({ status }: MessageState): boolean {
  return ['sent', 'delivered', 'bounced', 'complained', 'failed'].includes(status);
}

function heededOf({ item, message }: Step): Heeded[] {
  const { profileId, channel, address, begunAt } = message;
  if (begunAt === null) return [];
  const of = { profileId, channel, address };
  if (item.kind === 'complained') return [{ ...of, what: 'complaint' }];
  if (item.kind === 'unsubscribed') return [{ ...of, what: 'opt-out' }];
  return item.kind === 'bounced' && faultOf(item) === 'address' ? [{ ...of, what: 'bounce' }] : [];
}

/** Each once for a message, but for opting out, which is once for an item. */
function eventsOf(
  { item, message, before, after }: Step,
  tracking: { sent: boolean; delivered: boolean },
): MessageEvent[] {
  const { kind, occurredAt } = item;
  const { channel, begunAt } = message;
  if (begunAt === null) return [];
  const event = (fate: Fate, properties?: MessageEvent['properties'], at = occurredAt): MessageEvent[] => {
    return [{ message, eventType: typeOfFate(channel, fate), at, ...(properties && { properties }) }];
  };
  // A provider may be faster than whoever hands the message over records that it has taken it.
  const isSent = tracking.sent && isOpen(before.status) && !isOpen(after.status);
  const events = isSent ? event('sent', undefined, new Date(begunAt)) : [];
  if (kind === 'unsubscribed') return [...events, ...event('unsubscribed')];
  if (kind === 'complained' && before.complainedAt === null) return [...events, ...event('complained')];
  if (kind === 'bounced' && before.bouncedAt === null) {
    return [...events, ...event('bounced', { fault: faultOf(item), status_code: item.statusCode })];
  }
  const isNew = kind === 'delivered' && after.status === 'delivered' && before.deliveredAt === null;
  return isNew && tracking.delivered ? [...events, ...event('delivered')] : events;
}

/** Tells runs that still waited for what would come of a message. */
async function tellRuns(
  tx: Sql,
  storeId: string,
  messages: ReadonlyMap<string, MessageRow>,
  states: ReadonlyMap<string, MessageState>,
  versions: VersionCache,
): Promise<void> {
  const told = [...messages.values()].flatMap(({ id, isAwaited, runId, seq, status: former }) => {
    const { status, reason } = states.get(id) as MessageState;
    const isOver = ['waiting', 'claimed', 'sending'].includes(former) && status !== former;
    return isAwaited && isOver && runId !== null && seq !== null ? [resultOf({ runId, seq, status, reason })] : [];
  });
  if (told.length > 0) await applyMessages(tx, storeId, told, versions);
}
