import { sql } from 'kysely';
import { texts } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/orm.ts';
import { isId } from '../../ids/uuid-v7.ts';

/** Returns the ids of the profiles that have a `source_id`, by it. */
export async function findBySourceIds(
  db: Sql,
  storeId: string,
  sourceIds: readonly string[],
): Promise<Map<string, string>> {
  const wanted = [...new Set(sourceIds)].filter((id) => !id.includes('\0'));
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<{ sourceId: string; id: string }>`
    select wanted.value as "sourceId", i.profile_id as id
    from unnest(${texts(wanted)}::text[]) as wanted (value)
    cross join lateral (
      select profile_id from profile_identifier
      where store_id = ${storeId} and kind = 'source_id' and value = wanted.value
      limit 1
    ) i`.execute(db);
  return new Map(rows.map(({ sourceId, id }) => [sourceId, id]));
}

/** Returns the id of a profile as it is, or that of the profile with such a `source_id`; undefined if there is none. */
export async function resolveProfileId(db: Sql, storeId: string, id: string): Promise<string | undefined> {
  if (isId(id)) return id.toLowerCase();
  return (await findBySourceIds(db, storeId, [id])).get(id);
}
