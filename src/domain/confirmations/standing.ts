import { type RawBuilder, sql } from 'kysely';

/** Days for which a link can be followed. */
export const LINK_DAYS = 7;

/** Rows of a customer that are looked at: more than there may be before they are deleted. */
const MOST = 200;

/** What a customer was asked, the latest first: a subquery, which takes the index of the customer, whatever is known of the table. */
export function askedOf(storeId: string, profileId: string): RawBuilder<unknown> {
  return sql`(
    select * from list_confirmation
    where store_id = ${storeId} and profile_id >= ${profileId} and profile_id <= ${profileId}
    order by profile_id desc, asked_at desc
    limit ${MOST}
  )`;
}

/** Of a row of `list_confirmation a`: whether its link can still be followed. */
export const IS_IN_TIME = sql`(a.asked_at > now() - make_interval(days => ${LINK_DAYS}))`;

/** Of such a row: whether the customer has unsubscribed since, from e-mail or from the list. */
export const HAS_LEFT = sql`(
  exists (
    select from consent c
    where c.store_id = a.store_id and c.profile_id = a.profile_id and c.channel = 'email'
      and c.status = 'unsubscribed' and c.changed_at >= a.asked_at
  ) or exists (
    select from consent_list c
    where c.store_id = a.store_id and c.profile_id = a.profile_id and c.channel = 'email'
      and c.list_id = a.list_id::text and c.status = 'unsubscribed' and c.changed_at >= a.asked_at
  )
)`;
