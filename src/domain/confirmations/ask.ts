import { type RawBuilder, sql } from 'kysely';
import { texts, timestamps, uuids } from '../../db/binary-arrays.ts';
import { exactly, rowById } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';
import { newId } from '../../ids/uuid-v7.ts';
import type { ConsentChange } from '../consent/consent.ts';
import { insertMessages, messageQueues } from '../messages/core/queue.ts';
import { findSender, outboxOf } from '../senders/find-senders.ts';
import { readMessageSettings } from '../senders/message-settings.ts';
import type { Sender } from '../senders/sender.ts';
import { overloaded, ServiceError } from '../service-error.ts';
import { findConfirmationVersion } from './confirmation-template.ts';

/** Somebody may have strangers asked: how soon again for the same list, how often in a day, and of a store in an hour. */
const AGAIN_AFTER = sql`interval '10 minutes'`;
const [MOST_OF_CUSTOMER, MOST_OF_STORE] = [5, 5_000];
/** Of the messages that a sender may send in a day: the rest is for those that customers wait for. */
const SHARE_OF_DAY = 0.5;
/** Seconds after which a store that has asked so many may try again. */
const RETRY_AFTER = 60;
/** Milliseconds for which the message is tried: there are some days left then to follow its link. */
const TRIED_FOR_MS = 3 * 24 * 60 * 60 * 1000;

/**
 * Queues messages that ask customers to confirm that they subscribe to a list, but for those who were asked so often lately
 * that they have it in their mailbox. The last of what a transaction does: it holds a lock of the store until that ends.
 * Throws `rate_limit_exceeded` where the store has asked too many, and `upstream_error` where their queue is full.
 */
export async function askToConfirm(tx: Sql, storeId: string, changes: readonly ConsentChange[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.confirmations ${storeId}`}, 0))`.execute(tx);
  const asked = await findUnasked(tx, storeId, changes);
  if (asked.length === 0) return;
  const sender = await senderOfConfirmations(tx, storeId);
  await expectRoom(tx, storeId, sender, asked.length);
  const now = Date.now();
  const messages = asked.map(({ change, address }) => ({ ...change, address, messageId: newId() }));
  await sql`
    insert into list_confirmation (store_id, message_id, profile_id, list_id, asked_at, address, source)
    select ${storeId}::uuid, a.* from unnest(
      ${uuids(messages.map(({ messageId }) => messageId))}::uuid[],
      ${uuids(messages.map(({ profileId }) => profileId))}::uuid[],
      ${uuids(messages.map(({ list }) => list?.id as string))}::uuid[],
      ${timestamps(messages.map(() => new Date(now)))}::timestamptz[],
      ${texts(messages.map(({ address }) => address))}::text[],
      ${texts(messages.map(({ source }) => source))}::text[]
    ) as a`.execute(tx);
  for (const [listId, own] of Map.groupBy(messages, ({ list }) => list?.id as string)) {
    const { name, version } = await findConfirmationVersion(tx, storeId, listId);
    await insertMessages(
      tx,
      storeId,
      own.map(({ messageId, profileId }) => ({
        id: messageId,
        profileId,
        senderId: sender.id,
        templateId: version?.templateId ?? null,
        templateVersion: version?.number ?? null,
        channel: 'email',
        class: 'transactional',
        source: 'request',
        sourceId: null,
        ofRun: null,
        context: { data: { list: { id: listId, name } }, event: null, isConfirmation: true },
        dueAt: now,
        expiresAt: now + TRIED_FOR_MS,
      })),
    );
  }
}

/** Returns one change for each customer and list of whom it is time to ask. */
async function findUnasked(
  tx: Sql,
  storeId: string,
  changes: readonly ConsentChange[],
): Promise<{ change: ConsentChange; address: string | null }[]> {
  const keyOf = (profileId: string, listId: string | undefined) => `${profileId} ${listId}`;
  const distinct = new Map(changes.map((change) => [keyOf(change.profileId, change.list?.id), change]));
  const wanted = [...distinct.values()];
  const { rows } = await sql<{ profileId: string; listId: string; address: string | null }>`
    select w.profile_id as "profileId", w.list_id as "listId", p.email as address
    from unnest(
      ${uuids(wanted.map(({ profileId }) => profileId))}::uuid[],
      ${uuids(wanted.map(({ list }) => list?.id as string))}::uuid[]
    ) as w (profile_id, list_id)
    cross join lateral ${rowById('profile', storeId, 'w.profile_id')} p
    cross join lateral (
      select count(*) as asked, bool_or(list_id = w.list_id and asked_at > now() - ${AGAIN_AFTER}) as is_recent
      from (
        select list_id, asked_at from list_confirmation
        where store_id = ${storeId} and ${exactly('profile_id', 'w.profile_id')} and asked_at > now() - interval '1 day'
        order by profile_id desc, asked_at desc
        limit ${MOST_OF_CUSTOMER}
      ) latest
    ) c
    where c.asked < ${MOST_OF_CUSTOMER} and c.is_recent is not true`.execute(tx);
  return rows.map(({ profileId, listId, address }) => {
    return { change: distinct.get(keyOf(profileId, listId)) as ConsentChange, address };
  });
}

async function expectRoom(tx: Sql, storeId: string, { id, maxPerDay }: Sender, more: number): Promise<void> {
  const mostInDay = maxPerDay === null ? Number.POSITIVE_INFINITY : Math.ceil(maxPerDay * SHARE_OF_DAY);
  const [inHour, inDay] = [
    await countAsked(tx, storeId, sql`now() - interval '1 hour'`, MOST_OF_STORE),
    maxPerDay === null ? 0 : await countAsked(tx, storeId, sql`current_date`, mostInDay),
  ];
  if (inHour + more > MOST_OF_STORE) throw tooMany(`${MOST_OF_STORE.toLocaleString('en')} customers within an hour`);
  if (inDay + more > mostInDay) throw tooMany('as many customers today as half of what its sender may send');
  if (await queues.isFull(tx, storeId, id)) throw overloaded('The default sender has a million messages to send');
}

const queues = messageQueues();

/** So many at most. */
async function countAsked(tx: Sql, storeId: string, since: RawBuilder<unknown>, most: number): Promise<number> {
  const { rows } = await sql<{ asked: number }>`
    select count(*)::int as asked from (
      select from list_confirmation
      where store_id = ${storeId} and asked_at >= ${since}
      order by asked_at
      limit ${most}
    ) lately`.execute(tx);
  return rows[0]?.asked ?? 0;
}

function tooMany(what: string): ServiceError {
  return new ServiceError(
    'rate_limit_exceeded',
    `The store has asked ${what} to confirm that they subscribe, and this would be more`,
    { retryAfter: RETRY_AFTER },
  );
}

/**
 * The default sender of the store, whose messages wait until it is ready, or another one where that is for marketing. There
 * may be no other: then it is that one all the same, as nobody could be asked otherwise.
 */
async function senderOfConfirmations(tx: Sql, storeId: string): Promise<Sender> {
  const { defaultSenderId: id } = await readMessageSettings(tx, storeId);
  if (id === null) return await outboxOf(tx, storeId);
  const sender = (await findSender(tx, storeId, id)) as Sender;
  if (sender.class !== 'marketing') return sender;
  const { rows } = await sql<{ id: string }>`
    select id from sender
    where store_id = ${storeId} and kind = 'smtp' and class <> 'marketing' and deleted_at is null
    order by id limit 1`.execute(tx);
  return rows[0] ? ((await findSender(tx, storeId, rows[0].id)) as Sender) : sender;
}
