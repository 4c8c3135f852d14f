import { type RawBuilder, sql } from 'kysely';
import type { Audience } from '../conditions/audience.ts';

/** Members of any of some lists and segments after a customer, `limit` at most, by their ids: a query of `profile_id`. */
export function membersAfter(
  storeId: string,
  any: readonly Audience[],
  after: string,
  limit: number,
): RawBuilder<unknown> {
  const each = any.map(
    (one) => sql`(
      select profile_id from ${memberRows(storeId, one)} and profile_id > ${after}::uuid
      order by profile_id limit ${limit}
    )`,
  );
  return sql`select profile_id from (${sql.join(each, sql` union `)}) every order by profile_id limit ${limit}`;
}

/** The rows of one list, or of the members of a segment that serve. */
export function memberRows(storeId: string, { kind, id }: Audience): RawBuilder<unknown> {
  if (kind === 'list') return sql`list_member where store_id = ${storeId} and list_id = ${id}`;
  return sql`segment_member where store_id = ${storeId} and segment_id = ${id}
    and generation = (select generation from segment where store_id = ${storeId} and id = ${id} limit 1)`;
}
