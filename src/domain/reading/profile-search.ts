import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { rowById } from '../../db/rows.ts';
import { isId } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import { PROFILE_COLUMNS, type Profile, type ProfileRow, profileFromRow } from '../profile.ts';
import {
  type Candidate,
  candidates,
  type Page,
  type PageRequest,
  type Portion,
  readPortions,
  toPage,
} from './cursor.ts';
import type { IdentifierCondition, ProfileSearch } from './profile-conditions.ts';
import { type Place, selectPlaces } from './profile-places.ts';
import { MAX_PROFILE_BYTES, profileBytes } from './profiles.ts';
import { findBySourceIds } from './source-ids.ts';

/** Maximum profiles that one request looks at if no index finds those that fit. */
const MAX_LOOKED_AT = 2_000;

/**
 * Returns the profiles of the caller's store that a search finds. `next` is where to continue, even if none has been
 * found. A profile that changes meanwhile is where it then belongs.
 */
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

/** A profile that was found, or only nulls; and where the search has got to. */
type Row = Candidate<ProfileRow & Place> & {
  lookedAt: number;
  lastId: string;
  lastPlace: Place['place'];
  /** Whether there are more after it, though fewer were looked at than might have been. */
  isMore: boolean;
};

async function readInOrder(
  db: Sql,
  storeId: string,
  search: ProfileSearch,
  ids: string[] | undefined,
  page: PageRequest,
): Promise<Portion<Profile>> {
  const selected = selectPlaces[search.order](storeId, search, ids, page.cursor);
  const { from, keys, fits, isSelective, former, shown, cursorOf } = selected;
  const most = ids || isSelective ? MAX_LOOKED_AT : page.limit + 1 + (former?.atOnce ?? 0);
  const [onwards, back] = search.descending ? [sql`desc`, sql`asc`] : [sql`asc`, sql`desc`];
  const inOrder = sql.join(keys.map((key) => sql`${key} ${onwards}`));
  const found = sql`
    select f.place, p.*
    from (select * from looked_at where fits order by place ${onwards}, id ${onwards} limit ${page.limit + 1}) f
    cross join lateral ${rowById('profile', storeId, 'f.id')} p
    order by f.place ${onwards}, f.id ${onwards}`;
  const { rows } = await sql<Row>`
    with looked_at as materialized (
      select ${former?.id ?? sql`p.id`} as id, ${keys[0]} as place, ${fits} as fits
      ${from(most)}
      order by ${inOrder}
      limit ${most}
    )
    select ${PROFILE_COLUMNS}, candidates, ${shown(sql`p.place`)} as place,
      last.id as "lastId", ${shown(sql`last.place`)} as "lastPlace", (select count(*) from looked_at)::int as "lookedAt",
      ${former?.isMoreAfter(sql`last.place`) ?? sql`false`} as "isMore"
    from (select * from looked_at order by place ${back}, id ${back} limit 1) last
    left join ${candidates(found, page.limit, MAX_PROFILE_BYTES)} p on true
    order by p.place ${onwards}, p.id ${onwards}`.execute(db);
  const portion = toPage(
    rows.filter(({ id }) => id !== null),
    page.limit,
    profileFromRow,
    cursorOf,
  );
  const [end] = rows;
  if (portion.next !== null || !end || (end.lookedAt < most && !end.isMore)) return portion;
  const isCut = former !== undefined && !isSelective && portion.items.length < page.limit;
  return { ...portion, next: cursorOf({ id: end.lastId, place: end.lastPlace }), isCut };
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
