import { type RawBuilder, sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { HIGHEST_ID, isId, LOWEST_ID, lowestIdAt } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import type { IdentifierKind } from '../identifiers.ts';
import { PROFILE_COLUMNS, type Profile, type ProfileRow, profileFromRow } from '../profile.ts';
import {
  type Candidate,
  candidates,
  EARLIEST,
  idCursor,
  LATEST,
  type Page,
  type PageRequest,
  type Portion,
  readIdCursor,
  readPortions,
  toPage,
} from './cursor.ts';
import { MAX_PROFILE_BYTES, profileBytes } from './profiles.ts';
import { findBySourceIds } from './source-ids.ts';

/** Profiles that have one of some identifiers, or ids. Normalised. */
export interface IdentifierCondition {
  kind: IdentifierKind | 'id';
  values: readonly string[];
}

export interface TimeRange {
  /** Inclusive. */
  from?: Date;
  /** Exclusive. */
  before?: Date;
}

/** What profiles must fulfil, all of it. */
export interface ProfileSearch {
  identifiers: readonly IdentifierCondition[];
  created: TimeRange;
  /** No index has it: for searches with identifiers. */
  updated: TimeRange;
  /** Why no e-mail is to be sent to them: what customers have chosen, or the reason of a suppression. */
  suppression?: 'unsubscribed' | { reason: string } | undefined;
  latestFirst: boolean;
}

/** Milliseconds by which the time of a profile's id may differ from when the profile was created. */
const ID_MARGIN_MS = 60_000;

/** Returns the profiles of the caller's store that a search finds, by id, which is by the time of their creation. */
export async function searchProfiles(
  db: Sql,
  { storeId }: Caller,
  search: ProfileSearch,
  page: PageRequest,
): Promise<Page<Profile>> {
  const ids = search.identifiers.length > 0 ? await findIds(db, storeId, search.identifiers) : undefined;
  return readPortions(page, (rest) => readInOrder(db, storeId, search, ids, rest), profileBytes);
}

/** Returns the ids of the profiles that have one of the identifiers of each condition. */
async function findIds(db: Sql, storeId: string, conditions: readonly IdentifierCondition[]): Promise<string[]> {
  let found: Set<string> | undefined;
  for (const condition of conditions) {
    const ids: Set<string> = new Set(await idsOf(db, storeId, condition));
    found = found?.intersection(ids) ?? ids;
    if (found.size === 0) break;
  }
  return [...(found ?? [])];
}

async function idsOf(db: Sql, storeId: string, { kind, values }: IdentifierCondition): Promise<string[]> {
  if (kind === 'id') {
    const foreign = await findBySourceIds(
      db,
      storeId,
      values.filter((id) => !isId(id)),
    );
    return [...values.filter(isId).map((id) => id.toLowerCase()), ...foreign.values()];
  }
  if (values.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    select i.profile_id as id
    from unnest(${texts(values)}::text[]) as wanted (value)
    cross join lateral (
      select profile_id from profile_identifier
      where store_id = ${storeId} and kind = ${kind} and value = wanted.value
      limit 1
    ) i`.execute(db);
  return rows.map(({ id }) => id);
}

async function readInOrder(
  db: Sql,
  storeId: string,
  search: ProfileSearch,
  ids: string[] | undefined,
  page: PageRequest,
): Promise<Portion<Profile>> {
  const { created, updated, latestFirst } = search;
  const direction = latestFirst ? sql`desc` : sql`asc`;
  const range = idRange(created, latestFirst, page.cursor);
  const isWanted = sql`
    created_at >= ${clamped(created.from, EARLIEST)} and created_at < ${clamped(created.before, LATEST)}
      and updated_at >= ${clamped(updated.from, EARLIEST)} and updated_at < ${clamped(updated.before, LATEST)}`;
  const wanted = wantedIds(storeId, search, ids, range);
  const inOrder = wanted
    ? sql`
        select p.* from (${wanted}) as wanted
        cross join lateral (select * from profile where store_id = ${storeId} and id = wanted.id limit 1) p
        where ${isWanted} order by wanted.id ${direction}`
    : sql`
        select * from profile
        where store_id = ${storeId} and id > ${range.lowest} and id < ${range.highest} and ${isWanted}
        order by id ${direction}`;
  const { rows } = await sql<Candidate<ProfileRow>>`
    select ${PROFILE_COLUMNS}, candidates from ${candidates(inOrder, page.limit, MAX_PROFILE_BYTES)} p
    order by p.id ${direction}`.execute(db);
  return toPage(rows, page.limit, profileFromRow, idCursor);
}

/** Ids between two, both of which are exclusive. */
interface IdRange {
  lowest: string;
  highest: string;
}

/** Returns a subquery for the ids of the profiles that a search may find; undefined for all of the store. */
function wantedIds(
  storeId: string,
  { suppression, latestFirst }: ProfileSearch,
  ids: string[] | undefined,
  { lowest, highest }: IdRange,
): RawBuilder<unknown> | undefined {
  const isSuppressed = suppression && isSuppressedBy(storeId, suppression);
  if (ids) {
    const isAmongThem = isSuppressed
      ? sql`exists (select from consent c where ${isSuppressed} and c.profile_id = id)`
      : sql`true`;
    return sql`
      select distinct id from unnest(${uuids(ids)}::uuid[]) as id
      where id > ${lowest} and id < ${highest} and ${isAmongThem}`;
  }
  // Rows are compared, for the planner takes a range of ids alone for so narrow that it would read and sort all of it.
  return (
    isSuppressed &&
    sql`
      select c.profile_id as id from consent c
      where ${isSuppressed}
        and (c.store_id, c.profile_id) > (${storeId}, ${lowest}) and (c.store_id, c.profile_id) < (${storeId}, ${highest})
      order by c.profile_id ${latestFirst ? sql`desc` : sql`asc`}`
  );
}

/** A condition on `consent c`. */
function isSuppressedBy(storeId: string, suppression: NonNullable<ProfileSearch['suppression']>): RawBuilder<unknown> {
  const isReason =
    suppression === 'unsubscribed' ? sql`c.status = 'unsubscribed'` : sql`c.suppression_reason = ${suppression.reason}`;
  return sql`c.store_id = ${storeId} and c.channel = 'email' and ${isReason}`;
}

/** Returns the range of the profiles that were created in a time, after a cursor. */
function idRange(created: TimeRange, latestFirst: boolean, cursor: string | undefined): IdRange {
  let [lowest, highest] = [
    idAt(created.from, -ID_MARGIN_MS, LOWEST_ID),
    idAt(created.before, ID_MARGIN_MS, HIGHEST_ID),
  ];
  if (cursor === undefined) return { lowest, highest };
  const place = readIdCursor(cursor).toLowerCase();
  if (latestFirst && place < highest) highest = place;
  if (!latestFirst && place > lowest) lowest = place;
  return { lowest, highest };
}

function idAt(time: Date | undefined, margin: number, unbounded: string): string {
  if (!time) return unbounded;
  return lowestIdAt(new Date(Math.min(Math.max(0, time.getTime() + margin), LATEST.getTime())));
}

function clamped(time: Date | undefined, unbounded: Date): Date {
  const ms = (time ?? unbounded).getTime();
  return new Date(Math.min(Math.max(ms, EARLIEST.getTime()), LATEST.getTime()));
}

/** Returns `occurredAt` of the latest event of each profile that has one, by the profile's id. */
export async function lastEventTimes(
  db: Sql,
  { storeId }: Caller,
  profileIds: readonly string[],
): Promise<Map<string, Date>> {
  if (profileIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; at: number }>`
    select wanted.id, (extract(epoch from e.occurred_at) * 1000)::float8 as at
    from unnest(${uuids(profileIds)}::uuid[]) as wanted (id)
    cross join lateral (
      select occurred_at from event
      where store_id = ${storeId} and profile_id = wanted.id
      order by occurred_at desc
      limit 1
    ) e`.execute(db);
  return new Map(rows.map(({ id, at }) => [id, new Date(at)]));
}
