import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { clip } from '../../service-error.ts';
import type { WithConnection } from '../../store-connections.ts';
import { SMS_REPLIED, typeOfFate } from '../../tracking/core/event-types.ts';
import { COLUMNS_OF_EVENT, type MessageOfEvent, recordMessageEvents } from '../../tracking/message-events.ts';
import { ownerKey } from '../../write/identity-resolution.ts';
import { findExisting } from '../../write/look-up.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { type AddressDigest, openAddressDigest } from '../core/address-digest.ts';
import type { FeedbackRecorded } from '../feedback-recorded.ts';
import { releaseAddresses, suppressAddresses } from '../suppressions.ts';
import { changeConsents } from './change-consents.ts';
import type { Heard, Reply } from './reply.ts';
import { wordIn } from './words.ts';

/** Replies that are recorded in one transaction. */
const MOST_AT_ONCE = 250;
/** Characters of a text that are kept: as many as phones put together. */
const MAX_TEXT = 1_600;
/** Messages of a customer that are looked through for the one that was answered. */
const MOST_MESSAGES = 100;

/**
 * Records what was answered to text messages by a sender, each once, and heeds what it asks for: STOP ends the consent for
 * text messages, START brings it back. A number that no customer has is suppressed by STOP, and never becomes a customer.
 */
export async function recordReplies(
  writing: WithConnection,
  storeId: string,
  senderId: string,
  replies: readonly Reply[],
): Promise<FeedbackRecorded> {
  const byId = new Map(replies.map((reply) => [reply.id, reply]));
  const sum: FeedbackRecorded = { recorded: 0, repeated: replies.length - byId.size, unmatched: 0 };
  // In one order: no two transactions deadlock.
  const inOrder = [...byId.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  for (let from = 0; from < inOrder.length; from += MOST_AT_ONCE) {
    const some = inOrder.slice(from, from + MOST_AT_ONCE);
    const heard = await writing(storeId, async (db, shared) => {
      const digestOf = await openAddressDigest(shared);
      return await retryConflicts(db, () =>
        db.transaction().execute((tx) => recordSome(tx, storeId, senderId, some, digestOf)),
      );
    });
    const matched = heard.filter(({ profileId }) => profileId !== undefined).length;
    sum.recorded += matched;
    sum.unmatched += heard.length - matched;
    sum.repeated += some.length - heard.length;
  }
  return sum;
}

async function recordSome(
  tx: Sql,
  storeId: string,
  senderId: string,
  replies: readonly Reply[],
  digestOf: AddressDigest,
): Promise<Heard[]> {
  const heard = await insertReplies(tx, storeId, senderId, replies, digestOf);
  await heedStrangers(tx, storeId, heard, digestOf);
  const changed = await changeConsents(tx, storeId, heard);
  const messages = await latestMessages(
    tx,
    storeId,
    heard.flatMap(({ profileId }) => profileId ?? []),
  );
  const events = heard.flatMap((reply) => {
    const message = messages.get(reply.profileId ?? '');
    const type = eventOf(reply, changed);
    if (!message || !type) return [];
    const text = clip(reply.text.replaceAll('\0', ''), MAX_TEXT);
    const properties = type === SMS_REPLIED ? { text } : {};
    return [{ message, eventType: type, at: reply.at, properties }];
  });
  await recordMessageEvents(tx, storeId, events);
  return heard;
}

/** By which others hear of a reply; undefined if nobody does. */
function eventOf(reply: Heard, changed: ReadonlySet<Heard>): string | undefined {
  if (reply.word === undefined) return SMS_REPLIED;
  return reply.word === 'stop' && changed.has(reply) ? typeOfFate('sms', 'unsubscribed') : undefined;
}

const KINDS = { stop: 'unsubscribed', start: 'subscribed', help: 'help' } as const;

/** Returns those that were not told before. */
async function insertReplies(
  tx: Sql,
  storeId: string,
  senderId: string,
  replies: readonly Reply[],
  digestOf: AddressDigest,
): Promise<Heard[]> {
  const now = new Date();
  const owners = await findOwners(tx, storeId, replies);
  const all = replies.map((reply): Heard => {
    const { from, at, word, text } = reply;
    const profileId = owners.get(ownerKey('phone', from ?? ''));
    return { ...reply, word: word ?? wordIn(text), at: at ?? now, isNow: at === null, profileId };
  });
  // What was written is not kept here: it is in the event of the customer. Nor is the id, in which a number may be: nothing leads
  // from a customer to the row. The version before has kept it.
  const { rows } = await sql<{ id: string }>`
    insert into feedback (store_id, sender_id, item_id, occurred_at, received_at, kind, is_known)
    select ${storeId}::uuid, ${senderId}::uuid, r.item_id, r.at, now(), r.kind, r.is_known::boolean
    from unnest(
      ${texts(all.map(({ id }) => id))}::text[],
      ${texts(all.map(({ id }) => itemIdOf(id, digestOf)))}::text[],
      ${timestamps(all.map(({ at }) => at))}::timestamptz[],
      ${texts(all.map(({ word }) => (word ? KINDS[word] : 'replied')))}::text[],
      ${texts(all.map(({ profileId }) => String(profileId !== undefined)))}::text[]
    ) as r (id, item_id, at, kind, is_known)
    where not exists (
      select from feedback f where f.store_id = ${storeId} and f.sender_id = ${senderId} and f.item_id = r.id
    )
    on conflict do nothing
    returning item_id as id`.execute(tx);
  const fresh = new Set(rows.map(({ id }) => id));
  return all.filter(({ id }) => fresh.has(itemIdOf(id, digestOf)));
}

function itemIdOf(id: string, digestOf: AddressDigest): string {
  // Addresses are the same in capitals; ids are not.
  const hash = createHash('sha256').update(id).digest('hex');
  return `reply ${digestOf(hash).toString('hex')}`;
}

async function findOwners(tx: Sql, storeId: string, replies: readonly Reply[]): Promise<ReadonlyMap<string, string>> {
  const numbers = [...new Set(replies.flatMap(({ from }) => from ?? []))];
  const { owners } = await findExisting(
    tx,
    storeId,
    numbers.map((number) => ['phone', number]),
    [],
  );
  return owners;
}

/** Numbers that no customer has: whoever gets one later is left alone as well, until it asks for more. */
async function heedStrangers(
  tx: Sql,
  storeId: string,
  heard: readonly Heard[],
  digestOf: AddressDigest,
): Promise<void> {
  const inOrder = heard.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const latest = new Map<string, Heard>();
  for (const reply of inOrder) {
    if (reply.from !== null && (reply.word === 'stop' || reply.word === 'start')) latest.set(reply.from, reply);
  }
  const numbers = (which: (reply: Heard) => boolean) =>
    [...latest].flatMap(([number, reply]) => (which(reply) ? [number] : []));
  const stopped = numbers(({ word, profileId }) => word === 'stop' && profileId === undefined);
  const started = numbers(({ word }) => word === 'start');
  if (stopped.length > 0) await suppressAddresses(tx, storeId, stopped, digestOf, 'unsubscribed');
  if (started.length > 0) await releaseAddresses(tx, storeId, started, digestOf, 'unsubscribed');
}

/** Returns the last text message that each customer was sent, which is most likely what they answer. */
async function latestMessages(
  tx: Sql,
  storeId: string,
  profileIds: readonly string[],
): Promise<ReadonlyMap<string, MessageOfEvent>> {
  if (profileIds.length === 0) return new Map();
  const { rows } = await sql<MessageOfEvent>`
    select m.* from unnest(${uuids([...new Set(profileIds)])}::uuid[]) as w (profile_id)
    cross join lateral (
      select ${COLUMNS_OF_EVENT} from (
        select * from message l
        where l.store_id = ${storeId} and l.profile_id = w.profile_id
        order by l.id desc limit ${MOST_MESSAGES}
      ) latest
      where channel = 'sms' and begun_at is not null
      order by id desc limit 1
    ) m`.execute(tx);
  return new Map(rows.map((row) => [row.profileId, row]));
}
