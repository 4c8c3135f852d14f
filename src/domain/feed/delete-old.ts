import { sql } from 'kysely';
import type { Sql } from '../../db/orm.ts';
import type { DataTask } from '../../engine/periodic.ts';
import { assignAllPositions } from './positions.ts';

/** Milliseconds that a subscriber may go back to resume; entries of the feed are kept a little longer. */
export const RESUMABLE_MS = 10 * 60 * 1000;
export const KEPT_MS = RESUMABLE_MS + 5 * 60 * 1000;
/** Milliseconds for which an entry waits for the readers of its store that have not read it. */
const MAX_WAIT_MS = 7 * 24 * 60 * 60 * 1000;

/** Deletes entries of the feed that are older than some time, unless a reader has still to read them. */
export async function deleteOldAdditions(db: Sql, olderThanMs: number): Promise<void> {
  const [before, tooOld] = [ago(olderThanMs), ago(MAX_WAIT_MS)];
  // By its position, a reader can tell that an entry is missing.
  const { rows } = await sql<{ storeId: string }>`
    select distinct r.store_id as "storeId" from feed_reader r
    where exists (
      select from addition a where a.store_id = r.store_id and position is null and added_at < ${tooOld}
    )`.execute(db);
  for (const { storeId } of rows) await assignAllPositions(db, storeId);
  await sql`
    delete from addition a
    where added_at < ${before}
      and (
        added_at < ${tooOld}
        or not exists (
          select from feed_reader r
          where r.store_id = a.store_id and (a.position is null or a.position > r.entry)
        )
      )`.execute(db);
}

export const DELETE_OLD_ADDITIONS: DataTask = {
  failure: 'old additions not deleted',
  everyMs: 60_000,
  run: (db) => deleteOldAdditions(db, KEPT_MS),
};

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}
