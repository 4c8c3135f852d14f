import { sql } from 'kysely';
import { leaveList } from '../../lists/members.ts';
import type { Step } from '../../sweeps/step.ts';
import type { Erasing } from '../erasure.ts';

/** Has the customer leave all lists, which are counted; lists are locked in the order of their ids. */
export const sweepLists: Step<Erasing> = async (tx, { storeId, profileId }) => {
  const { rows } = await sql<{ listId: string }>`
    select l.id as "listId" from list l
    cross join lateral (
      select from list_member
      where store_id = ${storeId} and list_id = l.id and profile_id = ${profileId} limit 1
    ) m
    where l.store_id = ${storeId}
    order by l.id`.execute(tx);
  let left = 0;
  for (const { listId } of rows) left += (await leaveList(tx, storeId, listId, [profileId]))?.size ?? 0;
  return { counts: { list_member: left }, next: null };
};
