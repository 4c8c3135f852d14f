import { type RawBuilder, sql } from 'kysely';
import { integers, jsonbs, texts, timestamps, uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import type { Row } from '../../db/tables.ts';
import type { WatchedChange } from './watched-changes.ts';

/** A sub-select of the attributes that automations of a store watch; null if there are none. */
export function watchedNames(storeId: string): RawBuilder<unknown> {
  return sql`(select names from automation_watch where store_id = ${storeId})`;
}

export async function readWatchedNames(db: Sql, storeId: string): Promise<string[]> {
  const { rows } = await sql<Pick<Row<'automation_watch'>, 'names'>>`
    select names from automation_watch where store_id = ${storeId}`.execute(db);
  return rows[0]?.names ?? [];
}

export function insertProfileChanges(storeId: string, changes: readonly WatchedChange[]): RawBuilder<unknown> {
  return sql`
    insert into profile_change (store_id, id, profile_id, changes, depth, changed_at, is_historical, from_client,
      chain)
    select ${storeId}::uuid, id, profile_id, changes, depth, changed_at, historical = 1, client = 1, chain::uuid
    from unnest(
      ${uuids(changes.map(({ id }) => id))}::uuid[],
      ${uuids(changes.map(({ profileId }) => profileId))}::uuid[],
      ${jsonbs(changes.map((change) => change.changes))}::jsonb[],
      ${integers(changes.map(({ depth }) => depth))}::int[],
      ${timestamps(changes.map(({ changedAt }) => changedAt))}::timestamptz[],
      ${integers(changes.map(({ isHistorical }) => (isHistorical ? 1 : 0)))}::int[],
      ${integers(changes.map(({ fromClient }) => (fromClient ? 1 : 0)))}::int[],
      ${texts(changes.map(({ chain }) => chain))}::text[]
    ) as r (id, profile_id, changes, depth, changed_at, historical, client, chain)`;
}
