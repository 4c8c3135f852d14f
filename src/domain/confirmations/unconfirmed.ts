import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { askedOf, HAS_LEFT, IS_IN_TIME, LINK_DAYS } from './standing.ts';

/** A list that a customer was asked to confirm their subscription to, and has not. */
export interface Unconfirmed {
  listId: string;
  /** When they were asked last, and until when they can confirm it. */
  askedAt: Date;
  expiresAt: Date;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Lists that are shown; as many as a customer can be asked about in that time, and more. */
const MAX_LISTS = 50;

/** Returns the lists whose confirmation is awaited from a customer who is not in them, the latest first. */
export async function readUnconfirmed(db: Sql, storeId: string, profileId: string): Promise<Unconfirmed[]> {
  const { rows } = await sql<{ listId: string; asked: number }>`
    select a.list_id as "listId", (extract(epoch from max(a.asked_at)) * 1000)::float8 as asked
    from ${askedOf(storeId, profileId)} a
    where ${IS_IN_TIME} and a.confirmed_at is null
      and not ${HAS_LEFT}
      and exists (select from list l where l.store_id = ${storeId} and l.id = a.list_id)
      and not exists (
        select from list_member m
        where m.store_id = ${storeId} and m.list_id = a.list_id and m.profile_id = ${profileId}
      )
    group by a.list_id
    order by asked desc
    limit ${MAX_LISTS}`.execute(db);
  return rows.map(({ listId, asked }) => {
    return { listId, askedAt: new Date(asked), expiresAt: new Date(asked + LINK_DAYS * DAY_MS) };
  });
}
