import { isMainThread } from 'node:worker_threads';
import { type RawBuilder, sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { EventRecord } from '../../db/entities/event.ts';
import type { Sql } from '../../db/orm.ts';
import { UnloadedJson } from '../../db/raw-json.ts';
import type { Row } from '../../db/tables.ts';
import { MAX_ATTRIBUTE_BYTES } from '../attributes/attributes.ts';
import type { EventRef } from '../event.ts';
import type { IdentifierKind, Identifiers } from '../identifiers.ts';
import { PROFILE_COLUMNS, type Profile, type ProfileRow, profileFromRow, SHORT_PROFILE_COLUMNS } from '../profile.ts';
import { readAliases } from '../profile-aliases.ts';
import type { Draft } from './draft.ts';
import { firstOwner, lookedUpIdentifiers, type Owners, ownerKey } from './identity-resolution.ts';
import { suppressedRow } from './suppressed.ts';
import { watchedNames } from './watched-attributes.ts';

/** An idempotency key and the scope in which it is unique; the scope is empty for a key that is unique in its store. */
export type ScopedKey = Pick<Row<'idempotency_key'>, 'scope' | 'key'>;

export type Claim = Pick<Row<'profile_identifier'>, 'kind' | 'value' | 'profile_id'>;

/** Returns scope and key as one string; neither contains NUL. */
export function keyOf({ scope, key }: ScopedKey): string {
  return `${scope}\0${key}`;
}

/** What the identifiers and keys of a batch refer to. */
export interface Existing {
  owners: Owners;
  /** The `ownerKey` of each identifier without an owner that is suppressed: it is that of somebody who was erased. */
  suppressed: ReadonlySet<string>;
  /** Events of the keys that were processed before, by `keyOf`. */
  replays: Map<string, EventRef>;
}

/**
 * Looks up identifiers and keys in one statement: the cost of a small batch is its round trips. Here and below, `limit
 * 1` forces an index look-up for each: a planner with stale statistics would rather read the whole store.
 */
export async function findExisting(
  tx: Sql,
  storeId: string,
  identifiers: readonly [IdentifierKind, string][],
  keys: readonly ScopedKey[],
): Promise<Existing> {
  const owners: Owners = new Map();
  const suppressed = new Set<string>();
  const eventIds = new Map<string, string>();
  if (identifiers.length + keys.length > 0) {
    // Keys are numbered downwards from -1.
    const { rows } = await sql<{ n: number; id: string | null }>`
      select w.n::int, i.profile_id as id
      from unnest(
        ${texts(identifiers.map(([kind]) => kind))}::text[],
        ${texts(identifiers.map(([, value]) => value))}::text[]) with ordinality as w (kind, value, n)
      left join lateral (
        select profile_id from profile_identifier
        where store_id = ${storeId} and kind = w.kind and value = w.value limit 1
      ) i on true
      left join lateral ${suppressedRow(storeId, IDENTIFIER, sql`i.profile_id is null`)} s on true
      where i.profile_id is not null or s.is_suppressed
      union all
      select -w.n::int, k.event_id
      from unnest(
        ${texts(keys.map(({ scope }) => scope))}::text[],
        ${texts(keys.map(({ key }) => key))}::text[]) with ordinality as w (scope, key, n)
      cross join lateral (
        select event_id from idempotency_key
        where store_id = ${storeId} and scope = w.scope and key = w.key limit 1
      ) k`.execute(tx);
    for (const { n, id } of rows) {
      if (n > 0) {
        const identifier = ownerKey(...(identifiers[n - 1] as [IdentifierKind, string]));
        if (id === null) suppressed.add(identifier);
        else owners.set(identifier, id);
      } else if (id !== null) eventIds.set(keyOf(keys[-n - 1] as ScopedKey), id);
    }
  }
  const events = await findEvents(tx, storeId, [...eventIds.values()]);
  const replays = [...eventIds].flatMap(([key, id]): [string, EventRef][] => {
    const event = events.get(id);
    return event ? [[key, event]] : [];
  });
  return { owners, suppressed, replays: new Map(replays) };
}

const IDENTIFIER = { kind: sql`w.kind`, value: sql`w.value` };

/** Returns the id of the profile that owns the first of the identifiers, by precedence, that any profile owns. */
export async function findProfileOf(db: Sql, storeId: string, identifiers: Identifiers): Promise<string | undefined> {
  const { owners } = await findExisting(db, storeId, lookedUpIdentifiers(identifiers), []);
  return firstOwner(identifiers, owners);
}

/** Returns whom ids lead to: profiles by their own ids, and those into which they were merged by these. */
export async function findProfileIds(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Pick<Row<'profile'>, 'id'>>`
    select id from profile where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])`.execute(tx);
  const found = new Map(rows.map(({ id }) => [id, id]));
  if (found.size === ids.length) return found;
  const others = await readAliases(
    tx,
    storeId,
    ids.filter((id) => !found.has(id)),
  );
  return new Map([...found, ...others]);
}

/** Without their contents: a thousand events may be some gigabytes. */
async function findEvents(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, EventRef>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Pick<EventRecord, 'id' | 'profileId'>>`
    select e.id, e.profile_id as "profileId"
    from unnest(${uuids(ids)}::uuid[]) as w (id)
    cross join lateral (select id, profile_id from event where store_id = ${storeId} and id = w.id limit 1) e`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Compressed jsonb is at least about a hundredth of its text. */
const MAX_COMPRESSION = 100;

/** Returns the maximum bytes of the profiles' attributes, without decompressing them. */
export async function measureProfiles(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<Pick<Row<'profile'>, 'id'> & { bytes: number }>`
    select id, greatest(size, least(size * ${MAX_COMPRESSION}::int, ${MAX_ATTRIBUTE_BYTES}::int)) as bytes
    from (
      select id, pg_column_size(attributes) as size
      from profile where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])
    ) p`.execute(tx);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/**
 * Loads profiles and locks them until the end of the transaction, ordered by id so that batches don't deadlock. On the
 * thread that serves requests, large attributes stay in the database: those of a batch may exceed a gigabyte.
 */
export async function lockProfiles(tx: Sql, storeId: string, ids: string[]): Promise<Map<string, Profile>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<LockedRow>`${selectLocked(storeId, ids)}`.execute(tx);
  return profilesById(rows);
}

/** The same, and returns the attributes that automations watch; undefined if there was no profile to lock. */
export async function lockWatchedProfiles(
  tx: Sql,
  storeId: string,
  ids: string[],
): Promise<{ profiles: Map<string, Profile>; watched: string[] | undefined }> {
  if (ids.length === 0) return { profiles: new Map(), watched: undefined };
  // Once for all rows: there may be some hundred names.
  const { rows } = await sql<LockedRow & { watched: string[] | null }>`
    select p.*, case when row_number() over () = 1 then ${watchedNames(storeId)} end as watched
    from (${selectLocked(storeId, ids)}) p`.execute(tx);
  return { profiles: profilesById(rows), watched: rows[0] && (rows[0].watched ?? []) };
}

type LockedRow = ProfileRow & { attributes: ProfileRow['attributes'] | null };

function selectLocked(storeId: string, ids: string[]): RawBuilder<unknown> {
  return sql`
    select ${isMainThread ? SHORT_PROFILE_COLUMNS : PROFILE_COLUMNS}
    from profile p
    where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[])
    order by id
    for update`;
}

function profilesById(rows: readonly LockedRow[]): Map<string, Profile> {
  return new Map(
    rows.map((row) => [row.id, profileFromRow({ ...row, attributes: row.attributes ?? new UnloadedJson() })]),
  );
}

/** Removes identifiers from the profiles that own them. */
export async function dropIdentifiers(tx: Sql, storeId: string, dropped: readonly Claim[]): Promise<void> {
  if (dropped.length === 0) return;
  await sql`
    delete from profile_identifier i
    using unnest(
      ${texts(dropped.map(({ kind }) => kind))}::text[],
      ${texts(dropped.map(({ value }) => value))}::text[],
      ${uuids(dropped.map(({ profile_id }) => profile_id))}::uuid[]) as d (kind, value, profile_id)
    where i.store_id = ${storeId} and i.kind = d.kind and i.value = d.value and i.profile_id = d.profile_id`.execute(
    tx,
  );
}

/** Returns the key of a draft whose key is unique in its store. */
export function storeKey({ event, idempotencyScope }: Draft): ScopedKey | undefined {
  return event?.idempotencyKey != null && idempotencyScope === undefined
    ? { scope: '', key: event.idempotencyKey }
    : undefined;
}

/** Returns the key of a draft whose key is unique within its profile. */
export function profileKey({ event, idempotencyScope }: Draft, profileId: string): ScopedKey | undefined {
  return event?.idempotencyKey != null && idempotencyScope !== undefined
    ? { scope: `${profileId} ${idempotencyScope}`, key: event.idempotencyKey }
    : undefined;
}
