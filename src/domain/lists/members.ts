import { type RawBuilder, sql } from 'kysely';
import { texts, timestamps, uuids } from '../../db/binary-arrays.ts';
import type { ListMemberRecord } from '../../db/entities/list-member.ts';
import type { Sql } from '../../db/orm.ts';
import { newId } from '../../ids/uuid-v7.ts';

/** Members that one call adds or removes. */
export const MAX_AT_ONCE = 1_000;
/** Members of a list, however they join. */
export const MAX_MEMBERS = 10_000_000;

/** Who joins a list. */
export interface Joining {
  /** A profile of the store. */
  profileId: string;
  joinedAt: Date;
}

/** How somebody joins a list: in which way, and where, in the integrator's words. */
export type Manner = Pick<ListMemberRecord, 'how' | 'source'>;

/** What else is true of those who join or leave. */
export interface AboutMoves {
  /** They have joined in the past, by which nothing starts now. */
  isHistorical?: boolean | undefined;
  /** Which automations led to it: how many, and what these began with, by the ids of profiles. */
  led?: { depth: number; chains: ReadonlyMap<string, string | null> } | undefined;
}

/** What became of it: `full` if the list has as many members as a list may have. */
export type Joined = 'joined' | 'member' | 'full';

/**
 * Adds up to `MAX_AT_ONCE` profiles to a list in the caller's transaction, which holds the list until it ends: lists come
 * after profiles and consent, and several lists in the order of their ids, so that no two transactions deadlock. Returns
 * what became of each profile; undefined if the store has no such list. Members stay as they are.
 */
export async function joinList(
  tx: Sql,
  storeId: string,
  listId: string,
  joining: readonly Joining[],
  { how, source }: Manner,
  about: AboutMoves = {},
): Promise<ReadonlyMap<string, Joined> | undefined> {
  const members = await lockList(tx, storeId, listId);
  if (members === undefined) return undefined;
  const distinct = [...new Map(joining.map((one) => [one.profileId, one])).values()];
  if (distinct.length === 0) return new Map();
  const { rows } = await sql<{ profileId: string; isMember: boolean; hasJoined: boolean }>`
    with wanted as (
      select w.*, m.profile_id is not null as is_member
      from unnest(
        ${uuids(distinct.map(({ profileId }) => profileId))}::uuid[],
        ${timestamps(distinct.map(({ joinedAt }) => joinedAt))}::timestamptz[]
      ) with ordinality as w (profile_id, joined_at, n)
      left join lateral (
        select profile_id from list_member
        where store_id = ${storeId} and list_id = ${listId} and profile_id = w.profile_id
        limit 1
      ) m on true
    ), joined as (
      insert into list_member (store_id, list_id, profile_id, joined_at, how, source)
      select ${storeId}::uuid, ${listId}::uuid, profile_id, joined_at, ${how}, ${source}
      from wanted where not is_member
      order by n
      limit ${Math.max(0, MAX_MEMBERS - members)}
      returning profile_id
    ), ${consequences(storeId, listId, { moved: 'joined', hasJoined: true, ...about })}
    select w.profile_id as "profileId", is_member as "isMember", j.profile_id is not null as "hasJoined"
    from wanted w left join joined j on j.profile_id = w.profile_id`.execute(tx);
  return new Map(
    rows.map(({ profileId, isMember, hasJoined }) => [profileId, isMember ? 'member' : hasJoined ? 'joined' : 'full']),
  );
}

/** Removes up to `MAX_AT_ONCE` profiles in the same way. Returns those that were members; undefined as above. */
export async function leaveList(
  tx: Sql,
  storeId: string,
  listId: string,
  profileIds: readonly string[],
  about: AboutMoves = {},
): Promise<ReadonlySet<string> | undefined> {
  if ((await lockList(tx, storeId, listId)) === undefined) return undefined;
  if (profileIds.length === 0) return new Set();
  const { rows } = await sql<{ profileId: string }>`
    with gone as (
      delete from list_member
      where store_id = ${storeId} and list_id = ${listId} and profile_id = any(${uuids(profileIds)}::uuid[])
      returning profile_id
    ), ${consequences(storeId, listId, { moved: 'gone', hasJoined: false, ...about })}
    select profile_id as "profileId" from gone`.execute(tx);
  return new Set(rows.map(({ profileId }) => profileId));
}

/** Returns how many members there are, which stays so until the transaction ends. */
async function lockList(tx: Sql, storeId: string, listId: string): Promise<number | undefined> {
  const { rows } = await sql<{ members: number }>`
    select members::float8 as members from list where store_id = ${storeId} and id = ${listId} for update`.execute(tx);
  return rows[0]?.members;
}

interface Move extends AboutMoves {
  /** The common table expression that returns the `profile_id` of those who have moved. */
  moved: string;
  hasJoined: boolean;
}

/** The further parts of a statement that moves members: they are counted, and entered into the change feed. */
function consequences(storeId: string, listId: string, move: Move): RawBuilder<unknown> {
  const change = sql`(select count(*) from ${sql.ref(move.moved)})`;
  return sql`
    counted as (
      update list set members = members ${move.hasJoined ? sql`+` : sql`-`} ${change}
      where store_id = ${storeId} and id = ${listId} and ${change} > 0
    ), entered as (${insertListChange(storeId, listId, move)})`;
}

/** Enters into the change feed who has joined or left a list. */
export function insertListChange(
  storeId: string,
  listId: string,
  { moved, hasJoined, isHistorical, led }: Move,
): RawBuilder<unknown> {
  const id = newId();
  const chains = [...(led?.chains ?? [])];
  const by = led && {
    columns: sql`, depth, chains`,
    values: sql`, ${led.depth}::int, array_agg(chain::uuid)`,
    source: sql`
      left join unnest(
        ${uuids(chains.map(([profileId]) => profileId))}::uuid[], ${texts(chains.map(([, chain]) => chain))}::text[]
      ) as led (led_id, chain) on led_id = profile_id`,
  };
  return sql`
    insert into addition (store_id, first_id, last_id, kind, ids, list_id, has_joined, cause${by?.columns ?? sql``})
    select ${storeId}::uuid, ${id}::uuid, ${id}::uuid, 'list_change', array_agg(profile_id), ${listId}::uuid,
      ${hasJoined}::boolean, ${isHistorical ? 'import' : null}::text${by?.values ?? sql``}
    from ${sql.ref(moved)}${by?.source ?? sql``}
    having count(*) > 0`;
}
