import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import type { AddressDigest } from '../messages/core/address-digest.ts';
import { findProfileIds } from '../write/look-up.ts';

/** Whose data is exported. */
export interface Exported {
  storeId: string;
  profileId: string;
  /** Ids of customers who were merged into this one. */
  formerIds: readonly string[];
  /**
   * Those under which rows are found by an index, in the order in which they are read: that of each whose merge is not over, and the
   * id. So a row that moves meanwhile is read under both rather than under none.
   */
  ids: readonly string[];
  /** What a store keeps of the customer's addresses and numbers where it sends nothing to them. */
  digests: readonly Buffer[];
}

/** Finds a customer by the id, or by a former one; undefined if the store has none. */
export async function findExported(
  db: Sql,
  storeId: string,
  id: string,
  digestOf: AddressDigest,
): Promise<Exported | undefined> {
  const profileId = (await findProfileIds(db, storeId, [id])).get(id);
  if (profileId === undefined) return undefined;
  const { rows: former } = await sql<{ id: string; isOver: boolean }>`
    select a.id, m.due_at is null as "isOver"
    from profile_alias a
    left join profile_merge m on m.store_id = ${storeId} and m.from_id = a.id
    where a.store_id = ${storeId} and a.profile_id = ${profileId}
    order by a.id`.execute(db);
  const { rows: addresses } = await sql<{ value: string }>`
    select value from profile_identifier
    where store_id = ${storeId} and profile_id = ${profileId} and profile_id > ${sql.lit(LOWEST_ID)}
      and kind in ('email', 'phone')
    order by kind, value`.execute(db);
  return {
    storeId,
    profileId,
    formerIds: former.map((one) => one.id),
    ids: [...former.filter(({ isOver }) => !isOver).map((one) => one.id), profileId],
    digests: addresses.map(({ value }) => digestOf(value)),
  };
}

/** Whether the customer is still there, and nobody has been merged meanwhile: rows have moved then. */
export async function isUnchanged(db: Sql, { storeId, profileId, formerIds }: Exported): Promise<boolean> {
  const { rows } = await sql<{ former: number }>`
    select (
      select count(*)::int from profile_alias where store_id = ${storeId} and profile_id = ${profileId}
    ) as former
    from profile where store_id = ${storeId} and id = ${profileId}`.execute(db);
  return rows[0]?.former === formerIds.length;
}
