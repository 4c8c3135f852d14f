import { type RawBuilder, sql } from 'kysely';

/**
 * What a customer did with items in one way: a subquery, with the `place` of each row as long as the statement lasts. It asks
 * for the order of the primary key, so that it is read by that: to a planner with stale statistics, what a store has done
 * last looks as good, which is all that it did.
 */
export function activityOfCustomer(
  storeId: string,
  profileId: RawBuilder<unknown>,
  kind: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`(
    select *, ctid as place from item_activity
    where store_id = ${storeId} and profile_id >= ${profileId} and profile_id <= ${profileId} and kind = ${kind}
    order by profile_id, kind, item_id
  )`;
}
