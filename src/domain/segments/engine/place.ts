import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { addFeedReader } from '../../feed/readers.ts';
import { withSegments } from './lock.ts';
import { startAnew } from './read-changes.ts';
import { READER } from './reader.ts';
import { loadSegments } from './segments.ts';
import type { SegmentTools } from './tools.ts';

/**
 * Gives segments that have no place in the change feed a new one, as after a restore: the feed begins anew there. What
 * they have missed nobody knows, so that they are built anew.
 */
export async function ensurePlace(db: Sql, storeId: string, tools: SegmentTools): Promise<void> {
  const { rows } = await sql<{ isLost: boolean }>`
    select ${isLost(sql`${storeId}::uuid`)} as "isLost"`.execute(db);
  if (!rows[0]?.isLost) return;
  tools.log.warn({ store_id: storeId }, 'segments have no place in the change feed, and are built anew');
  // Before they have one: whatever ends this in between, the next turn finds them without a place again.
  await withSegments(db, storeId, tools, async (tx, { generations }) => {
    await startAnew(tx, storeId, await loadSegments(tx, storeId, generations));
  });
  await addFeedReader(db, { storeId, name: READER });
}

/** Whether a store has segments that have no place in the feed. */
export function isLost(storeId: ReturnType<typeof sql>) {
  return sql`
    exists (select from segment s where s.store_id = ${storeId})
    and not exists (select from feed_reader r where r.store_id = ${storeId} and r.name = ${READER})`;
}
