import { type RawBuilder, sql } from 'kysely';
import { texts, timestamps } from './binary-arrays.ts';

/** Maximum profiles of an entry: longer ones would be stored apart, which costs a table and an index more. */
const MAX_OF_ENTRY = 100;

/** A profile, and the time of its latest change. */
export interface ProfileUpdate {
  id: string;
  updatedAt: Date;
}

/**
 * Enters profiles into the journal of changes. Whoever writes `updated_at` does so in the same transaction: a profile is
 * listed by its latest change if it is in an entry of that time.
 */
export function insertProfileUpdates(storeId: string, updates: readonly ProfileUpdate[]): RawBuilder<unknown> {
  const entries = [...Map.groupBy(updates, ({ updatedAt }) => updatedAt.getTime()).values()].flatMap(inEntries);
  return sql`
    insert into profile_update (store_id, updated_at, profile_ids)
    select ${storeId}::uuid, at, ids::uuid[]
    from unnest(
      ${timestamps(entries.map(([first]) => (first as ProfileUpdate).updatedAt))}::timestamptz[],
      ${texts(entries.map((entry) => `{${entry.map(({ id }) => id).join()}}`))}::text[]) as r (at, ids)`;
}

/** The same for profiles that a query finds, each in a row with its number from 1: `id`, `n`. */
export function insertProfileUpdatesAt(
  storeId: string,
  time: RawBuilder<unknown>,
  profiles: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    insert into profile_update (store_id, updated_at, profile_ids)
    select ${storeId}::uuid, ${time}, array_agg(id) from (${profiles}) as profiles
    group by (n - 1) / ${sql.lit(MAX_OF_ENTRY)}`;
}

function inEntries(updates: readonly ProfileUpdate[]): (readonly ProfileUpdate[])[] {
  const entries = [];
  for (let i = 0; i < updates.length; i += MAX_OF_ENTRY) entries.push(updates.slice(i, i + MAX_OF_ENTRY));
  return entries;
}
