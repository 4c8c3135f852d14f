import { type RawBuilder, sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { newId } from '../../ids/uuid-v7.ts';
import { insertChangedProfiles } from '../write/insert.ts';
import { type ChosenList, type ConsentChange, holdsOver } from './consent.ts';

/**
 * Records changes of consent of a store's profiles in the caller's transaction, all of them in the history. A choice
 * takes effect unless the customer has chosen later; of two at the same time, the one to opt out does. Leaving a list
 * leaves only that list if the profile is subscribed to it, and unsubscribes from the channel otherwise, unless it is a
 * choice for that list only. What awaits confirmation has no effect. Returns which changes took effect.
 */
export async function recordConsents(
  tx: Sql,
  storeId: string,
  changes: readonly ConsentChange[],
): Promise<ReadonlySet<ConsentChange>> {
  if (changes.length === 0) return new Set();
  const choices = changes.filter(
    ({ kind, awaitsConfirmation }) => !awaitsConfirmation && (kind === 'subscribed' || kind === 'unsubscribed'),
  );
  const ofLists = choices.filter(({ list }) => list !== undefined);
  await mergeNames(tx, storeId, ofLists);
  const subscribed = await findSubscribedLists(tx, storeId, ofLists);
  const general = choices.filter(
    (choice) => !choice.isOfListOnly && (choice.kind === 'subscribed' || !subscribed.has(listKey(choice))),
  );
  const suppressions = changes.filter(({ kind }) => kind === 'suppressed');
  const lifted = changes.filter(({ kind }) => kind === 'unsuppressed');
  const applied = [
    ...(await applyTo(general, channelKey, (latest) => setStatus(tx, storeId, latest))),
    ...(await applyTo(ofLists, listKey, (latest) => setListStatus(tx, storeId, latest))),
    ...(await applyTo(suppressions, channelKey, (latest) => suppress(tx, storeId, latest))),
    ...(await applyTo(lifted, channelKey, (latest) => liftSuppression(tx, storeId, latest))),
  ];
  await writeHistory(tx, storeId, changes, new Set(applied));
  return new Set(applied);
}

type Keyed = Pick<ConsentChange, 'profileId' | 'channel'> & { list?: Pick<ChosenList, 'id'> | undefined };
type Key = (change: Keyed) => string;

const channelKey: Key = ({ profileId, channel }) => `${profileId} ${channel}`;
const listKey: Key = ({ profileId, channel, list }) => `${profileId} ${channel} ${list?.id}`;

/** Applies the latest change of each key, sorted so that no two transactions deadlock; returns those that took effect. */
async function applyTo(
  changes: readonly ConsentChange[],
  keyOf: Key,
  apply: (latest: ConsentChange[]) => Promise<Keyed[]>,
): Promise<ConsentChange[]> {
  if (changes.length === 0) return [];
  const latest = new Map<string, ConsentChange>();
  for (const change of changes) {
    const other = latest.get(keyOf(change));
    if (!other || holdsOver(change, other)) latest.set(keyOf(change), change);
  }
  const sorted = [...latest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, change]) => change);
  const changed = await apply(sorted);
  return changed.map((key) => latest.get(keyOf(key)) as ConsentChange);
}

/**
 * What is written of each change:
 * `r (profile_id, channel, status, changed_at, is_now, source, list_id, list_name, reason)`.
 */
function rowsOf(changes: readonly ConsentChange[]): RawBuilder<unknown> {
  return sql`unnest(
    ${uuids(changes.map(({ profileId }) => profileId))}::uuid[],
    ${texts(changes.map(({ channel }) => channel))}::text[],
    ${texts(changes.map(({ kind }) => kind))}::text[],
    ${timestamps(changes.map(({ changedAt }) => changedAt))}::timestamptz[],
    ${integers(changes.map(({ isNow }) => (isNow ? 1 : 0)))}::int[],
    ${texts(changes.map(({ source }) => source))}::text[],
    ${texts(changes.map(({ list }) => list?.id ?? null))}::text[],
    ${texts(changes.map(({ list }) => list?.name ?? null))}::text[],
    ${texts(changes.map(({ reason = null }) => reason))}::text[]
  ) as r (profile_id, channel, status, changed_at, is_now, source, list_id, list_name, reason)`;
}

/**
 * Earlier versions kept a choice under whichever name it gave the list, and so do choices made before the store has the
 * list. Brings those of the customers to its id, so that it has one consent: the latest choice or, of two at the same
 * time, the one to opt out.
 */
async function mergeNames(tx: Sql, storeId: string, choices: readonly ConsentChange[]): Promise<void> {
  const names = choices.flatMap(({ profileId, channel, list }) =>
    (list?.otherNames ?? []).map((name) => ({ profileId, channel, id: list?.id as string, name })),
  );
  if (names.length === 0) return;
  await sql`
    with other as (
      select distinct r.* from unnest(
        ${uuids(names.map(({ profileId }) => profileId))}::uuid[],
        ${texts(names.map(({ channel }) => channel))}::text[],
        ${texts(names.map(({ name }) => name))}::text[],
        ${texts(names.map(({ id }) => id))}::text[]
      ) as r (profile_id, channel, name, id)
    ), locked as (
      select l.profile_id, l.channel, l.list_id, other.id
      from other
      join consent_list l on l.store_id = ${storeId} and l.profile_id = other.profile_id
        and l.channel = other.channel and l.list_id = other.name
      order by l.profile_id, l.channel, l.list_id
      for update of l
    ), gone as (
      delete from consent_list l using locked
      where l.store_id = ${storeId} and l.profile_id = locked.profile_id and l.channel = locked.channel
        and l.list_id = locked.list_id
      returning l.profile_id, l.channel, l.status, l.changed_at, coalesce(l.list_name, l.list_id) as name, locked.id
    )
    insert into consent_list (store_id, profile_id, channel, list_id, status, changed_at, list_name)
    select distinct on (profile_id, channel, id) ${storeId}::uuid, profile_id, channel, id, status, changed_at, name
    from gone
    order by profile_id, channel, id, changed_at desc, status desc
    on conflict (store_id, profile_id, channel, list_id) do update
    set status = excluded.status, changed_at = excluded.changed_at, list_name = excluded.list_name
    where ${IS_LATER}`.execute(tx);
}

/** Whether what is sent for a list holds: it is later than what is known or, at the same time, opts out. */
const IS_LATER = sql`excluded.changed_at > consent_list.changed_at
  or (excluded.changed_at = consent_list.changed_at and excluded.status = 'unsubscribed'
    and consent_list.status <> 'unsubscribed')`;

type ChangedRow = Pick<ConsentChange, 'profileId' | 'channel'>;
type ChangedListRow = ChangedRow & { listId: string };

function ofList({ listId, ...row }: ChangedListRow): Keyed {
  return { ...row, list: { id: listId } };
}

async function setStatus(tx: Sql, storeId: string, changes: ConsentChange[]): Promise<ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    insert into consent (store_id, profile_id, channel, status, changed_at, source)
    select ${storeId}::uuid, r.profile_id, r.channel, r.status, greatest(r.changed_at, c.changed_at), r.source
    from ${rowsOf(changes)}
    left join consent c on r.is_now = 1 and c.store_id = ${storeId} and c.profile_id = r.profile_id
      and c.channel = r.channel
    order by r.profile_id, r.channel
    on conflict (store_id, profile_id, channel) do update
    set status = excluded.status, changed_at = excluded.changed_at, source = excluded.source
    where consent.changed_at is null or excluded.changed_at > consent.changed_at
      or (excluded.changed_at = consent.changed_at and excluded.status = 'unsubscribed'
        and consent.status <> 'unsubscribed')
    returning profile_id as "profileId", channel`.execute(tx);
  return rows;
}

async function setListStatus(tx: Sql, storeId: string, changes: ConsentChange[]): Promise<Keyed[]> {
  const { rows } = await sql<ChangedListRow>`
    insert into consent_list (store_id, profile_id, channel, list_id, status, changed_at, list_name)
    select ${storeId}::uuid, r.profile_id, r.channel, r.list_id, r.status, greatest(r.changed_at, l.changed_at),
      nullif(r.list_name, r.list_id)
    from ${rowsOf(changes)}
    left join consent_list l on r.is_now = 1 and l.store_id = ${storeId} and l.profile_id = r.profile_id
      and l.channel = r.channel and l.list_id = r.list_id
    order by r.profile_id, r.channel, r.list_id
    on conflict (store_id, profile_id, channel, list_id) do update
    set status = excluded.status, changed_at = excluded.changed_at, list_name = excluded.list_name
    where ${IS_LATER}
    returning profile_id as "profileId", channel, list_id as "listId"`.execute(tx);
  return rows.map(ofList);
}

async function suppress(tx: Sql, storeId: string, changes: ConsentChange[]): Promise<ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    insert into consent (store_id, profile_id, channel, status, suppressed_at, suppression_reason)
    select ${storeId}::uuid, profile_id, channel, 'never', changed_at, reason from ${rowsOf(changes)}
    on conflict (store_id, profile_id, channel) do update
    set suppressed_at = excluded.suppressed_at, suppression_reason = excluded.suppression_reason
    where consent.suppressed_at is null
    returning profile_id as "profileId", channel`.execute(tx);
  return rows;
}

async function liftSuppression(tx: Sql, storeId: string, changes: ConsentChange[]): Promise<ChangedRow[]> {
  const { rows } = await sql<ChangedRow>`
    update consent c set suppressed_at = null, suppression_reason = null
    from (
      select c.profile_id, c.channel
      from ${rowsOf(changes)}
      join consent c on c.store_id = ${storeId} and c.profile_id = r.profile_id and c.channel = r.channel
      where c.suppressed_at is not null and (r.reason is null or r.reason = c.suppression_reason)
      order by c.profile_id, c.channel
      for update of c
    ) as locked
    where c.store_id = ${storeId} and c.profile_id = locked.profile_id and c.channel = locked.channel
    returning c.profile_id as "profileId", c.channel`.execute(tx);
  return rows;
}

/** Returns, by `listKey`, which of the lists the profiles are subscribed to. */
async function findSubscribedLists(
  tx: Sql,
  storeId: string,
  choices: readonly ConsentChange[],
): Promise<ReadonlySet<string>> {
  if (choices.length === 0) return new Set();
  const { rows } = await sql<ChangedListRow>`
    select l.profile_id as "profileId", l.channel, l.list_id as "listId"
    from ${rowsOf(choices)}
    join consent_list l on l.store_id = ${storeId} and l.profile_id = r.profile_id and l.channel = r.channel
      and l.list_id = r.list_id
    where l.status = 'subscribed'`.execute(tx);
  return new Set(rows.map((row) => listKey(ofList(row))));
}

/** Also enters the profiles whose consent has changed into the change feed. */
async function writeHistory(
  tx: Sql,
  storeId: string,
  changes: readonly ConsentChange[],
  applied: ReadonlySet<ConsentChange>,
): Promise<void> {
  const ids = uuids(changes.map(() => newId()));
  const flags = texts(changes.map((change) => String(applied.has(change))));
  const clients = texts(changes.map(({ isFromClient = false }) => String(isFromClient)));
  await sql`
    insert into consent_change
      (store_id, profile_id, id, channel, kind, list_id, changed_at, source, reason, applied, from_client,
        recorded_at)
    select ${storeId}::uuid, profile_id, id, channel, status, list_name, changed_at, source, reason, flag::boolean,
      client::boolean, now()
    from (
      select r.*, (${ids}::uuid[])[n] as id, (${flags}::text[])[n] as flag,
        (${clients}::text[])[n] as client
      from (select *, row_number() over () as n from ${rowsOf(changes)}) r
    ) as sent`.execute(tx);
  const alike = Map.groupBy(applied, ({ isHistorical = false, led }) => `${isHistorical} ${led?.depth}`);
  for (const own of alike.values()) {
    const [{ isHistorical, led }] = own as [ConsentChange];
    const chains = new Map(own.map((change) => [change.profileId, change.led?.chain ?? null]));
    const about = {
      cause: isHistorical ? 'import' : 'consent',
      ...(led && { depth: led.depth, chains: [...chains.values()] }),
    } as const;
    const ids = uuids([...chains.keys()]);
    await insertChangedProfiles(storeId, sql`select ${ids}::uuid[] as ids`, about).execute(tx);
  }
}
