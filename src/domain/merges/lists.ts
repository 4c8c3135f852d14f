import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { isId } from '../../ids/uuid-v7.ts';
import { insertListChange, leaveList } from '../lists/members.ts';
import type { Step } from '../sweeps/step.ts';
import type { MergeChanges, Merging } from './merge.ts';

interface Membership {
  listId: string;
  isTheirs: boolean;
  /** Whether the customer who stays is a member, and has opted out by what is known of both. */
  isMember: boolean;
  isOut: boolean;
}

/**
 * Has a customer be in the lists that another was in, as history and since the earlier of the two joined, but not in those that
 * the other has opted out of later. Lists are locked in the order of their ids.
 */
export async function mergeLists(
  tx: Sql,
  { storeId, profileId, winnerId }: Merging,
  optedOut: readonly string[] = [],
): Promise<Pick<MergeChanges, 'joined' | 'left'> & { rows: number }> {
  const member = (id: string) => sql`
    select from list_member where store_id = ${storeId} and list_id = l.id and profile_id = ${id} limit 1`;
  const choice = (status: string) => sql`
    select from consent_list
    where store_id = ${storeId} and profile_id = ${winnerId} and list_id = l.id::text and status = ${status} limit 1`;
  const { rows } = await sql<Membership>`
    select * from (
      select l.id as "listId", exists (${member(profileId)}) as "isTheirs", exists (${member(winnerId)}) as "isMember",
        exists (${choice('unsubscribed')}) and not exists (${choice('subscribed')}) as "isOut"
      from list l
      where l.store_id = ${storeId}
    ) m
    where "isTheirs" or ("isMember" and "isOut" and "listId" = any(${uuids(optedOut.filter(isId))}::uuid[]))
    order by "listId"`.execute(tx);
  const changed: Pick<MergeChanges, 'joined' | 'left'> & { joined: string[]; left: string[] } = {
    joined: [],
    left: [],
  };
  let moved = 0;
  for (const { listId, isTheirs, isMember, isOut } of rows) {
    await sql`select from list where store_id = ${storeId} and id = ${listId} for update`.execute(tx);
    if (isTheirs) moved += await leaveSilently(tx, { storeId, profileId, winnerId }, listId, isMember || isOut);
    if (isMember && isOut && optedOut.includes(listId)) {
      await leaveList(tx, storeId, listId, [winnerId]);
      changed.left.push(listId);
    } else if (!isMember && !isOut) changed.joined.push(listId);
  }
  return { ...changed, rows: moved };
}

/** Nobody is told that somebody leaves whom there is no more: who stays joins, unless they are a member. */
async function leaveSilently(
  tx: Sql,
  { storeId, profileId, winnerId }: Merging,
  listId: string,
  staysOut: boolean,
): Promise<number> {
  const theirs = sql`store_id = ${storeId} and list_id = ${listId} and profile_id = ${profileId}`;
  if (!staysOut) {
    const { rows } = await sql`
      with joined as (
        update list_member set profile_id = ${winnerId} where ${theirs} returning profile_id
      ), entered as (${insertListChange(storeId, listId, { moved: 'joined', hasJoined: true, isHistorical: true })})
      select from joined`.execute(tx);
    return rows.length;
  }
  const { rows } = await sql`
    with gone as (
      delete from list_member where ${theirs} returning joined_at
    ), earlier as (
      update list_member m set joined_at = least(m.joined_at, gone.joined_at) from gone
      where m.store_id = ${storeId} and m.list_id = ${listId} and m.profile_id = ${winnerId}
    ), counted as (
      update list set members = members - (select count(*) from gone) where store_id = ${storeId} and id = ${listId}
    )
    select from gone`.execute(tx);
  return rows.length;
}

/** The same for what was written late. */
export const sweepLists: Step<Merging> = async (tx, merging) => {
  const { rows } = await mergeLists(tx, merging);
  return { counts: { list_member: rows }, next: null };
};
