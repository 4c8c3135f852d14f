import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import { rowById } from '../../db/rows.ts';
import { searchable } from '../../db/searchable-names.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import { PROFILE_COLUMNS, type Profile, type ProfileRow, profileFromRow } from '../profile.ts';
import {
  type Candidate,
  candidates,
  nameCursor,
  type Page,
  type PageRequest,
  type Portion,
  readNameCursor,
  readPortions,
  toPage,
} from './cursor.ts';
import { HIGHEST_CHARACTER, MAX_PROFILE_BYTES, profileBytes, uniqueProfiles } from './profiles.ts';

/**
 * Returns the profiles whose full name or last name begins with a text, ignoring case, ordered by that name and without
 * duplicates on a page.
 */
export async function findProfilesByName(
  db: Sql,
  { storeId }: Caller,
  prefix: string,
  page: PageRequest,
): Promise<Page<Profile>> {
  const found = await readPortions(page, (rest) => readByName(db, storeId, prefix, rest), profileBytes);
  return uniqueProfiles(found);
}

async function readByName(db: Sql, storeId: string, prefix: string, page: PageRequest): Promise<Portion<Profile>> {
  const after = page.cursor === undefined ? { name: '', id: LOWEST_ID } : readNameCursor(page.cursor);
  const inOrder = sql`
    select n.name, p.*
    from (${selectByName(storeId, prefix, after, page.limit + 1)}) n
    cross join lateral ${rowById('profile', storeId, 'n.id')} p
    order by n.name, n.id`;
  const { rows } = await sql<Candidate<ProfileRow & { name: string }>>`
    select p.name, ${PROFILE_COLUMNS}, candidates from ${candidates(inOrder, page.limit, MAX_PROFILE_BYTES)} p
    order by p.name, p.id`.execute(db);
  return toPage(rows, page.limit, profileFromRow, nameCursor);
}

/** Selects `name` and `id` of the customers after one whose full name or last name begins with a text, in their order. */
export function selectByName(
  storeId: string,
  prefix: string,
  after: { name: string; id: string },
  limit: number,
): RawBuilder<unknown> {
  const beginning = sql`${searchable(prefix)}::text collate "C"`;
  const name = sql`${after.name}::text collate "C"`;
  // A single lower bound: given two, Postgres would read the index from the lower one. A cursor of another list may
  // precede it.
  const afterId = sql`case when ${name} < ${beginning} then ${LOWEST_ID}::uuid else ${after.id}::uuid end`;
  const named = (column: string) => sql`(
    select ${sql.ref(column)} as name, id from profile
    where store_id = ${storeId}
      and (${sql.ref(column)}, id) > (greatest(${beginning}, ${name}), ${afterId})
      and ${sql.ref(column)} < ${beginning} || ${HIGHEST_CHARACTER}
    order by ${sql.ref(column)}, id
    limit ${limit})`;
  return sql`
    select * from (${named('full_name')} union all ${named('last_name')}) as names
    order by name, id
    limit ${limit}`;
}
