import { type RawBuilder, sql } from 'kysely';
import { integers, jsonbs, jsons, texts, timestamps, uuids } from '../../db/binary-arrays.ts';
import type { EventCountNewRecord } from '../../db/entities/event-count-new.ts';
import type { Sql } from '../../db/orm.ts';
import { insertProfileUpdates } from '../../db/profile-updates.ts';
import { parsed, RawJson } from '../../db/raw-json.ts';
import { searchableNames } from '../../db/searchable-names.ts';
import type { Row } from '../../db/tables.ts';
import { lowestIdAt, newId, timeOf } from '../../ids/uuid-v7.ts';
import type { Attributes } from '../attributes/attributes.ts';
import type { NewEvent, RecordedEvent } from '../event.ts';
import { QUARTER_MS } from '../event-counts.ts';
import { enter, type Led } from '../feed/entries.ts';
import type { Profile } from '../profile.ts';
import type { Claim } from './look-up.ts';
import { type HistoryEntry, insertHistory } from './profile-history.ts';
import { insertProfileChanges, type WatchedChange } from './watched-attributes.ts';

export interface Writes {
  /** New profiles, which no other transaction knows yet. */
  created: Profile[];
  /** Profiles that `lockProfiles` has locked. */
  changed: Profile[];
  claims: Claim[];
  /** Identifiers that `dropIdentifiers` has removed. */
  dropped: Claim[];
  events: RecordedEvent[];
  keys: Pick<Row<'idempotency_key'>, 'scope' | 'key' | 'event_id'>[];
  watched: readonly WatchedChange[];
  history: readonly HistoryEntry[];
  /** Profiles of which more than history became known. */
  current: ReadonlySet<string>;
  /** Which automations led to what became known of profiles, the most of them; only of profiles to which any did. */
  led: ReadonlyMap<string, Led>;
}

/**
 * Writes a batch in one statement. Rows are sorted, so that two batches lock them in the same order. If another
 * transaction has meanwhile claimed an identifier or used a key, it fails with a unique violation (23505), and the
 * caller starts over and finds what the other has written.
 */
export async function insertWrites(tx: Sql, storeId: string, writes: Writes): Promise<void> {
  const { created, claims, dropped, events, keys, watched, history } = writes;
  const written = [...created, ...writes.changed];
  const profileIds = new Set(written.map(({ id }) => id));
  for (const { profile_id } of [...claims, ...dropped]) profileIds.add(profile_id);
  const [changed, renamed] = [
    writes.changed.filter(isPatched),
    writes.changed.filter((profile) => !isPatched(profile)),
  ];
  const insertions = [
    created.length > 0 && insertProfiles(storeId, created),
    changed.length > 0 &&
      sql`
      ${insertProfiles(storeId, changed)}
      on conflict (store_id, id) do update set
        external_id = excluded.external_id, email = excluded.email, phone = excluded.phone,
        anonymous_id = excluded.anonymous_id, source_id = excluded.source_id, attributes = excluded.attributes,
        full_name = excluded.full_name, last_name = excluded.last_name, updated_at = excluded.updated_at`,
    renamed.length > 0 &&
      sql`
      ${insertProfiles(
        storeId,
        renamed.map((profile) => ({ ...profile, attributes: {} })),
      )}
      on conflict (store_id, id) do update set
        external_id = excluded.external_id, email = excluded.email, phone = excluded.phone,
        anonymous_id = excluded.anonymous_id, source_id = excluded.source_id, updated_at = excluded.updated_at`,
    written.length > 0 && insertProfileUpdates(storeId, written),
    claims.length > 0 && insertClaims(storeId, claims),
    keys.length > 0 && insertKeys(storeId, keys),
    events.length > 0 && insertCounts(storeId, events),
    ...enterProfiles(storeId, profileIds, writes),
    events.length > 0 && enter(storeId, 'event', events),
    events.length > 0 &&
      insertEvents(storeId, events, {
        values: sql`${uuids(events.map(({ profileId }) => profileId))}::uuid[]`,
        id: sql`r.owner`,
      }),
    watched.length > 0 && insertProfileChanges(storeId, watched),
    watched.length > 0 && enter(storeId, 'profile_change', watched),
    history.length > 0 && insertHistory(storeId, history),
  ].filter((insertion) => insertion !== false);
  if (insertions.length === 0) return;
  await sql`with ${steps(insertions)} select`.execute(tx);
}

/** Whether the attributes may have changed: those unchanged since they were read are not written. */
function isPatched({ attributes }: Profile): boolean {
  return !(attributes instanceof RawJson);
}

/** Joins insertions as parts of one statement. */
export function steps(insertions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(insertions.map((insertion, i) => sql`${sql.ref(`step_${i}`)} as (${insertion})`));
}

function insertProfiles(storeId: string, profiles: readonly Profile[]): RawBuilder<unknown> {
  const names = profiles.map(({ attributes }) => searchableNames(parsed<Attributes>(attributes)));
  return sql`
    insert into profile
      (store_id, id, external_id, email, phone, anonymous_id, source_id, attributes, full_name, last_name, created_at,
        updated_at)
    select ${storeId}::uuid, *
    from unnest(
      ${uuids(profiles.map(({ id }) => id))}::uuid[],
      ${texts(profiles.map(({ externalId }) => externalId))}::text[],
      ${texts(profiles.map(({ email }) => email))}::text[],
      ${texts(profiles.map(({ phone }) => phone))}::text[],
      ${texts(profiles.map(({ anonymousId }) => anonymousId))}::text[],
      ${texts(profiles.map(({ sourceId }) => sourceId))}::text[],
      ${jsonbs(profiles.map(({ attributes }) => attributes))}::jsonb[],
      ${texts(names.map(({ fullName }) => fullName))}::text[],
      ${texts(names.map(({ lastName }) => lastName))}::text[],
      ${timestamps(profiles.map(({ createdAt }) => createdAt))}::timestamptz[],
      ${timestamps(profiles.map(({ updatedAt }) => updatedAt))}::timestamptz[])`;
}

function insertClaims(storeId: string, claims: Writes['claims']): RawBuilder<unknown> {
  return sql`
    insert into profile_identifier (store_id, kind, value, profile_id)
    select ${storeId}::uuid, *
    from unnest(
      ${texts(claims.map(({ kind }) => kind))}::text[],
      ${texts(claims.map(({ value }) => value))}::text[],
      ${uuids(claims.map(({ profile_id }) => profile_id))}::uuid[]) as r (kind, value, profile_id)
    order by kind collate "C", value collate "C"`;
}

function insertKeys(storeId: string, keys: Writes['keys']): RawBuilder<unknown> {
  return sql`
    insert into idempotency_key (store_id, scope, key, event_id)
    select ${storeId}::uuid, *
    from unnest(
      ${texts(keys.map(({ scope }) => scope))}::text[],
      ${texts(keys.map(({ key }) => key))}::text[],
      ${uuids(keys.map(({ event_id }) => event_id))}::uuid[]) as r (scope, key, event_id)
    order by scope collate "C", key collate "C"`;
}

/** Here and below, nothing is inserted unless `condition` holds. `each`: what an event counts, -1 once it is deleted. */
export function insertCounts(
  storeId: string,
  events: readonly CountedEvent[],
  condition = sql`true`,
  each: 1 | -1 = 1,
): RawBuilder<unknown> {
  const counts = countEvents(events);
  return sql`
    insert into event_count_new (store_id, start, event_type, month, count)
    select ${storeId}::uuid, *
    from unnest(
      ${timestamps(counts.map(({ start }) => start))}::timestamptz[],
      ${texts(counts.map(({ eventType }) => eventType))}::text[],
      ${timestamps(counts.map(({ month }) => month))}::timestamptz[],
      ${integers(counts.map(({ count }) => each * count))}::int[])
    where ${condition}`;
}

/** The number of events of a type in a quarter of an hour. */
export type EventCount = Pick<EventCountNewRecord, 'start' | 'eventType' | 'month' | 'count'>;

/** What an event is counted by. */
type CountedEvent = Pick<NewEvent, 'id' | 'eventType' | 'occurredAt'>;

/** Returns what a batch of events adds to the counts. */
export function countEvents(events: readonly CountedEvent[]): EventCount[] {
  const counts = new Map<string, EventCount>();
  let month: Month | undefined;
  let last: EventCount | undefined;
  for (const { id, occurredAt, eventType } of events) {
    if (!month || id < month.firstId || id >= month.nextId) month = monthOf(id);
    const start = Math.floor(occurredAt.getTime() / QUARTER_MS) * QUARTER_MS;
    // Most events have the same count as the one before.
    if (last?.eventType !== eventType || last.month !== month.start || last.start.getTime() !== start) {
      const key = `${start} ${month.firstId} ${eventType}`;
      last = counts.get(key) ?? { start: new Date(start), eventType, month: month.start, count: 0 };
      counts.set(key, last);
    }
    last.count += 1;
  }
  return [...counts.values()];
}

interface Month {
  start: Date;
  /** Ids drawn in this month are at least `firstId` and below `nextId`. */
  firstId: string;
  nextId: string;
}

/**
 * Returns the month in which an id was drawn. Computing it for each event would take longer than the rest of counting.
 */
function monthOf(id: string): Month {
  const time = new Date(timeOf(id));
  const start = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));
  const next = new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + 1));
  return { start, firstId: lowestIdAt(start), nextId: lowestIdAt(next) };
}

/** What an entry says of all its profiles; `chains` has one for each of them. */
interface About {
  cause?: 'consent' | 'import' | 'merge';
  depth?: number;
  chains?: readonly (string | null)[] | undefined;
}

/**
 * Enters profiles that were created or changed, an array in the column `ids` of a query, into the change feed. The entry
 * has an id of its own: a transaction may change a profile more than once.
 */
export function insertChangedProfiles(
  storeId: string,
  ids: RawBuilder<unknown>,
  { cause, depth = 0, chains }: About = {},
): RawBuilder<unknown> {
  const id = newId();
  const about = [
    ...(cause ? [{ column: sql`cause`, value: sql`${cause}::text` }] : []),
    ...(depth > 0 ? [{ column: sql`depth`, value: sql`${depth}::int` }] : []),
    ...(chains ? [{ column: sql`chains`, value: sql`${texts(chains)}::text[]::uuid[]` }] : []),
  ];
  const listed = (part: 'column' | 'value') => sql.join([sql``, ...about.map((one) => one[part])], sql`, `);
  return sql`
    insert into addition (store_id, first_id, last_id, kind, ids${listed('column')})
    select ${storeId}::uuid, ${id}::uuid, ${id}::uuid, 'profile', ids${listed('value')}
    from (${ids}) as changed`;
}

/** An entry says the same of all that it names: each profile is in the one that is true of it. */
function enterProfiles(storeId: string, profileIds: Iterable<string>, { current, led }: Writes) {
  const all = [...profileIds];
  const causes = [
    { ids: all.filter((id) => current.has(id)) },
    { ids: all.filter((id) => !current.has(id)), cause: 'import' as const },
  ];
  return causes.flatMap(({ ids, ...about }) =>
    [...byDepth(ids, led)].map(([depth, own]) => {
      const chains = depth === 0 ? undefined : own.map((id) => led.get(id)?.chain ?? null);
      return insertChangedProfiles(storeId, sql`select ${uuids(own)}::uuid[] as ids`, { ...about, depth, chains });
    }),
  );
}

function byDepth(ids: string[], led: Writes['led']): Map<number, string[]> {
  if (led.size > 0) return Map.groupBy(ids, (id) => led.get(id)?.depth ?? 0);
  return new Map(ids.length > 0 ? [[0, ids]] : []);
}

/**
 * `owner.values`: an array with something for each event, `r.owner`; `owner.id`: the id of its profile, derived from
 * that. The arrays are unnested side by side as columns: each `from unnest` would be materialised before it is read.
 */
export function insertEvents(
  storeId: string,
  events: readonly NewEvent[],
  owner: { values: RawBuilder<unknown>; id: RawBuilder<unknown> },
  condition = sql`true`,
): RawBuilder<unknown> {
  return sql`
    insert into event
      (store_id, id, profile_id, event_type, properties, source, idempotency_key, occurred_at, received_at)
    select ${storeId}::uuid, id, ${owner.id}, type, properties, source, key, occurred, received
    from (
      select
        unnest(${uuids(events.map(({ id }) => id))}::uuid[]) as id,
        unnest(${owner.values}) as owner,
        unnest(${texts(events.map(({ eventType }) => eventType))}::text[]) as type,
        unnest(${jsons(events.map(({ properties }) => properties))}::json[]) as properties,
        unnest(${jsons(events.map(({ source }) => source))}::json[]) as source,
        unnest(${texts(events.map(({ idempotencyKey }) => idempotencyKey))}::text[]) as key,
        unnest(${timestamps(events.map(({ occurredAt }) => occurredAt))}::timestamptz[]) as occurred,
        unnest(${timestamps(events.map(({ receivedAt }) => receivedAt))}::timestamptz[]) as received
    ) r
    where ${condition}`;
}
