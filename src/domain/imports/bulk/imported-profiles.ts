import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/orm.ts';
import { LOWEST_ID } from '../../../ids/uuid-v7.ts';
import type { Caller } from '../../caller.ts';
import { idCursor, type Page, type PageRequest, readIdCursor, toPage } from '../../reading/cursor.ts';

/** Keeps which profiles a part of a job created or updated; `position` is that of its first item. */
export async function keepImportedProfiles(
  tx: Sql,
  { storeId, jobId }: { storeId: string; jobId: string },
  position: number,
  profileIds: readonly string[],
): Promise<void> {
  if (profileIds.length === 0) return;
  await sql`
    insert into import_profile (store_id, job_id, position, profile_ids)
    values (${storeId}, ${jobId}, ${position}, ${uuids([...new Set(profileIds)])}::uuid[])`.execute(tx);
}

/** Returns the ids of the profiles that a job of the caller's store created or updated, each once, in their order. */
export async function listImportedProfiles(
  db: Sql,
  { storeId }: Caller,
  jobId: string,
  page: PageRequest,
): Promise<Page<string>> {
  const after = page.cursor === undefined ? LOWEST_ID : readIdCursor(page.cursor);
  // A job has 10,000 profiles at most, which are sorted in a few milliseconds.
  const { rows } = await sql<{ id: string; candidates?: never }>`
    select distinct profile_id as id
    from import_profile cross join unnest(profile_ids) as profile_id
    where store_id = ${storeId} and job_id = ${jobId} and profile_id > ${after}
    order by profile_id
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, ({ id }) => id, idCursor);
}
