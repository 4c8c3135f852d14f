import { sql } from 'kysely';
import { texts, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import type { Row } from '../../db/tables.ts';
import { readEmail } from '../canonical/email.ts';
import { readPhone } from '../canonical/phone.ts';
import type { Canonical } from '../canonical/spellings.ts';
import { CHECKED_KINDS, type Progress } from './progress.ts';

/** Identifiers that one statement reads. */
const SLICE = 2_000;
/** Owners of a split that are kept. */
const MAX_OWNERS = 20;

type Stored = Pick<Row<'profile_identifier'>, 'value' | 'profile_id'>;

/** A spelling that is stored, and one that leads to the same customer from now on. */
interface Other {
  canonical: string;
  stored: Stored;
  spelling: string;
}

/** Looks at the next identifiers, and returns where to go on; undefined after the last of all. */
export async function checkSlice(db: Sql, place: Progress): Promise<Progress | undefined> {
  const { storeId, kind, value } = place;
  const { rows } = await sql<Stored>`
    select value, profile_id from profile_identifier
    where store_id = ${storeId} and kind = ${kind} and value > ${value}
    order by value
    limit ${SLICE}`.execute(db);
  const others = rows.flatMap((stored) => othersOf(stored, place));
  if (others.length > 0) await join(db, place, others);
  if (rows.length === SLICE) return { ...place, value: (rows.at(-1) as Stored).value };
  const next = CHECKED_KINDS[CHECKED_KINDS.indexOf(kind) + 1];
  return next && { ...place, kind: next, value: '' };
}

/** Returns what else the owner of an identifier has to be found by. */
function othersOf(stored: Stored, { kind, country }: Progress): Other[] {
  const read: Canonical | undefined = kind === 'email' ? readEmail(stored.value) : readPhone(stored.value, country);
  if (!read) return [];
  const owned = read.spellings?.owned ?? [read.value];
  return owned.flatMap((spelling) => (spelling === stored.value ? [] : [{ canonical: read.value, stored, spelling }]));
}

/** Gives the spellings that nobody has to the owners of the others, and reports those that somebody else has. */
async function join(db: Sql, { storeId, kind, startedAt }: Progress, others: readonly Other[]): Promise<void> {
  const { rows } = await sql<{ n: number; owner: string | null }>`
    with other as (
      select * from unnest(
        ${texts(others.map(({ spelling }) => spelling))}::text[],
        ${uuids(others.map(({ stored }) => stored.profile_id))}::uuid[]) with ordinality as o (spelling, profile_id, n)
    ), given as (
      insert into profile_identifier (store_id, kind, value, profile_id)
      select distinct on (spelling) ${storeId}::uuid, ${kind}::text, spelling, profile_id from other order by spelling, n
      on conflict do nothing
      returning value, profile_id
    )
    select o.n::int, coalesce(g.profile_id, i.profile_id) as owner
    from other o
    left join given g on g.value = o.spelling
    left join lateral (
      select profile_id from profile_identifier
      where store_id = ${storeId} and kind = ${kind} and value = o.spelling limit 1
    ) i on true`.execute(db);
  const split = rows.flatMap(({ n, owner }) => {
    const other = others[n - 1] as Other;
    // Null where somebody has just taken it: the next round sees whom.
    return owner === null || owner === other.stored.profile_id ? [] : [{ ...other, owner }];
  });
  for (const { canonical, stored, spelling, owner } of split) {
    const owners = [
      { spelling, profile_id: owner },
      { spelling: stored.value, profile_id: stored.profile_id },
    ];
    await sql`
      insert into identifier_split as s (store_id, kind, value, owners, found_at, seen_at)
      values (${storeId}, ${kind}, ${canonical}, ${JSON.stringify(owners)}::json, now(), now())
      on conflict (store_id, kind, value) do update set
        owners = (
          select json_agg(distinct_owner) from (
            select distinct jsonb_build_object('spelling', one ->> 'spelling', 'profile_id', one ->> 'profile_id')
              as distinct_owner
            from (
              select json_array_elements(case when s.seen_at < ${startedAt}::timestamptz then '[]' else s.owners end) as one
              union all
              select json_array_elements(excluded.owners)
            ) as known
            limit ${MAX_OWNERS}::int
          ) as kept
        ),
        seen_at = excluded.seen_at`.execute(db);
  }
}

/** Forgets the splits that were not found again, and returns how many there are. */
export async function deleteUnseen(db: Sql, { storeId, startedAt }: Progress): Promise<number> {
  const { rows } = await sql<{ left: number }>`
    with gone as (
      delete from identifier_split where store_id = ${storeId} and seen_at < ${startedAt}::timestamptz returning value
    )
    select (count(*) - (select count(*) from gone))::int as "left" from identifier_split
    where store_id = ${storeId}`.execute(db);
  return rows[0]?.left ?? 0;
}
