import { type RawBuilder, sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { ProfileIdentifierRecord } from '../../db/entities/profile-identifier.ts';
import { maxJsonbBytes } from '../../db/json-size.ts';
import type { Sql } from '../../db/orm.ts';
import { bytesOf } from '../../db/raw-json.ts';
import { rowById } from '../../db/rows.ts';
import { isId } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import type { IdentifierKind } from '../identifiers.ts';
import { PROFILE_COLUMNS, type Profile, type ProfileRow, profileFromRow } from '../profile.ts';
import { readAliases } from '../profile-aliases.ts';
import {
  type Candidate,
  candidates,
  decode,
  encode,
  idCursor,
  notACursor,
  type Page,
  type PageRequest,
  type Portion,
  readBefore,
  readPortions,
  toPage,
} from './cursor.ts';

/** A canonical identifier, in all its spellings, or the beginning of one. */
export type IdentifierFilter = { kind: IdentifierKind } & ({ values: readonly string[] } | { beginning: string });

export const MAX_PROFILE_BYTES = maxJsonbBytes('attributes');

export function profileBytes({ attributes }: Profile): number {
  return bytesOf(attributes);
}

/** Sorts after any continuation of an identifier or a name: no text contains the highest code point. */
export const HIGHEST_CHARACTER = '\u{10FFFF}';

/** Returns a profile of the caller's store, by its id or that of one that was merged into it. A statement of its own, for the reason given at `findEvent`. */
export async function findProfile(db: Sql, caller: Caller, id: string): Promise<Profile | undefined> {
  const { storeId } = caller;
  if (!isId(id)) return undefined;
  const { rows } = await sql<ProfileRow>`
    select ${PROFILE_COLUMNS} from profile p where store_id = ${storeId} and id = ${id}`.execute(db);
  if (rows[0]) return profileFromRow(rows[0]);
  const owner = (await readAliases(db, storeId, [id])).get(id.toLowerCase());
  return owner === undefined ? undefined : await findProfile(db, caller, owner);
}

/** Returns profiles of the caller's store, newest first: all, or those with the given ids. */
export async function readProfiles(
  db: Sql,
  { storeId }: Caller,
  page: PageRequest,
  ids?: readonly string[],
): Promise<Page<Profile>> {
  return readPortions(page, (rest) => readNewest(db, storeId, rest, ids), profileBytes);
}

async function readNewest(
  db: Sql,
  storeId: string,
  page: PageRequest,
  ids: readonly string[] | undefined,
): Promise<Portion<Profile>> {
  const before = readBefore(page.cursor);
  const inOrder = ids
    ? // One look-up per id: with `any`, Postgres before 17 may read the whole store.
      sql`
        select p.* from (select distinct id from unnest(${uuids(ids)}::uuid[]) as id where id < ${before}) as wanted
        cross join lateral ${rowById('profile', storeId, 'wanted.id')} p
        order by p.id desc`
    : sql`select * from profile where store_id = ${storeId} and id < ${before} order by id desc`;
  const { rows } = await sql<Candidate<ProfileRow>>`
    select ${PROFILE_COLUMNS}, candidates from ${candidates(inOrder, page.limit, MAX_PROFILE_BYTES)} p
    order by p.id desc`.execute(db);
  return toPage(rows, page.limit, profileFromRow, idCursor);
}

/**
 * Returns the profiles with an identifier, or one that begins with a text, in its order and without duplicates on a
 * page.
 */
export async function findProfiles(
  db: Sql,
  { storeId }: Caller,
  filter: IdentifierFilter,
  page: PageRequest,
): Promise<Page<Profile>> {
  return uniqueProfiles(await readPortions(page, (rest) => readByIdentifier(db, storeId, filter, rest), profileBytes));
}

/** Removes duplicate profiles from a page. */
export function uniqueProfiles({ items, next }: Page<Profile>): Page<Profile> {
  return { items: [...new Map(items.map((profile) => [profile.id, profile])).values()], next };
}

async function readByIdentifier(
  db: Sql,
  storeId: string,
  filter: IdentifierFilter,
  page: PageRequest,
): Promise<Portion<Profile>> {
  const beginning = 'beginning' in filter ? filter.beginning : '';
  const after = page.cursor === undefined ? '' : readIdentifierCursor(page.cursor, beginning);
  const inOrder = sql`
    select i.value, p.*
    from (${selectByIdentifier(storeId, filter, after, page.limit + 1)}) i
    cross join lateral ${rowById('profile', storeId, 'i.profile_id')} p
    order by i.value`;
  const { rows } = await sql<Candidate<ProfileRow & Pick<ProfileIdentifierRecord, 'value'>>>`
    select p.value, ${PROFILE_COLUMNS}, candidates from ${candidates(inOrder, page.limit, MAX_PROFILE_BYTES)} p
    order by p.value`.execute(db);
  return toPage(rows, page.limit, profileFromRow, (row) => encode(row.value));
}

/** Selects `value` and `profile_id` of the identifiers after one that fit, in their order. */
export function selectByIdentifier(
  storeId: string,
  filter: IdentifierFilter,
  after: string,
  limit: number,
): RawBuilder<unknown> {
  const fits =
    'beginning' in filter
      ? sql`value >= ${filter.beginning} and value <= ${filter.beginning + HIGHEST_CHARACTER}`
      : sql`value = any(${texts(filter.values)}::text[])`;
  return sql`
    select value, profile_id from profile_identifier
    where store_id = ${storeId} and kind = ${filter.kind} and ${fits} and value > ${after}
    order by value
    limit ${limit}`;
}

function readIdentifierCursor(cursor: string, prefix: string): string {
  const value = decode(cursor);
  if (!value?.startsWith(prefix)) throw notACursor();
  return value;
}
