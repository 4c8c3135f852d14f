import { sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
import { exactly, rowById, unindexed } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { AddressDigest } from '../core/address-digest.ts';
import type { SkipReason } from '../core/message.ts';
import { GOING } from './campaigns.ts';
import type { ClaimedMessage } from './claim.ts';

/** Seconds for which a process has a message to itself that it hands over. Longer than a hand-over may last. */
export const HAND_OVER_LEASE_S = 360;

const IS_CLAIMED = unindexed(sql`m.status = 'claimed'`);

/** What may go, and what may not any more; neither names what another process has taken since. */
export interface Begun {
  ids: ReadonlySet<string>;
  skipped: ReadonlyMap<string, SkipReason>;
}

/**
 * Begins to hand over messages, just before they go over the wire: consent and suppression are asked once more, of whoever
 * the customer is by now, and what was opted out of since it was claimed, or whose customer was erased, is to be skipped.
 * What is of a campaign that does not go on waits once more, for whoever claims it to put it aside.
 */
export async function beginMessages(
  db: Sql,
  storeId: string,
  messages: readonly ClaimedMessage[],
  digestOf: AddressDigest,
): Promise<Begun> {
  const begun = await beginSome(db, storeId, messages, digestOf);
  // A row that another transaction moved meanwhile, as a merge of customers does, was not where it was found.
  const missed = messages.filter(({ id }) => !begun.ids.has(id) && !begun.skipped.has(id));
  if (missed.length === 0) return begun;
  const others = await beginSome(db, storeId, missed, digestOf);
  return { ids: begun.ids.union(others.ids), skipped: new Map([...begun.skipped, ...others.skipped]) };
}

async function beginSome(
  db: Sql,
  storeId: string,
  messages: readonly ClaimedMessage[],
  digestOf: AddressDigest,
): Promise<Begun> {
  const { rows } = await retryConflicts(db, () =>
    sql<{ id: string; reason: SkipReason | null }>`
      with slice as (
        select w.*, found.ctid as place, w.campaign_id is null or p.id is not null as is_going, case
            when k.id is null then 'profile_deleted'
            when c.suppressed_at is not null then 'suppressed'
            when a.digest is not null then 'address_suppressed'
            when w.is_marketing = 1 and c.status is distinct from 'subscribed' then 'unsubscribed'
          end as reason
        from unnest(
          ${uuids(messages.map(({ id }) => id))}::uuid[],
          ${integers(messages.map(({ claim }) => claim))}::int[],
          ${integers(messages.map((message) => (message.class === 'marketing' ? 1 : 0)))}::int[],
          ${texts(messages.map(({ channel }) => channel))}::text[],
          ${texts(messages.map(({ address }) => digestOf(address).toString('hex')))}::text[],
          ${texts(messages.map(({ campaign }) => campaign?.id ?? null))}::text[]
        ) as w (id, claim, is_marketing, channel, digest, campaign_id)
        cross join lateral (
          select ctid, profile_id from message where store_id = ${storeId} and ${exactly('id', 'w.id')} order by id limit 1
        ) found
        left join lateral ${rowById('profile', storeId, 'found.profile_id')} k on true
        left join lateral (
          select status, suppressed_at from consent
          where store_id = ${storeId} and profile_id = found.profile_id and channel = w.channel limit 1
        ) c on true
        left join lateral (
          select digest from suppressed_address
          where store_id = ${storeId} and digest >= decode(w.digest, 'hex') and digest <= decode(w.digest, 'hex')
            and (until is null or until > now())
          order by digest limit 1
        ) a on true
        left join lateral (
          select id from campaign
          where store_id = ${storeId} and id = w.campaign_id::uuid and status in ${GOING} limit 1
        ) p on true
      ), begun as (
        update message m
        set status = 'sending', due_at = clock_timestamp() + make_interval(secs => ${HAND_OVER_LEASE_S}),
          begun_at = clock_timestamp()
        from slice s
        where m.ctid = s.place and m.claim = s.claim and ${IS_CLAIMED}
          and s.reason is null and s.is_going
        returning m.id
      ), put_back as (
        update message m set status = 'waiting', due_at = now()
        from slice s
        where m.ctid = s.place and m.claim = s.claim and ${IS_CLAIMED} and s.reason is null and not s.is_going
      )
      select id, reason from slice
      where reason is not null or id in (select id from begun)`.execute(db),
  );
  return {
    ids: new Set(rows.flatMap(({ id, reason }) => (reason === null ? id : []))),
    skipped: new Map(rows.flatMap(({ id, reason }): [string, SkipReason][] => (reason === null ? [] : [[id, reason]]))),
  };
}
