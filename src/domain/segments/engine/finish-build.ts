import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { requestBuilds } from '../request-build.ts';
import { type Counts, countDay } from './apply.ts';
import type { KeptSegment, OpenBuild } from './segments.ts';
import { releaseBuilt } from './set-aside.ts';
import type { TransactionTools } from './tools.ts';
import type { SegmentWork } from './work.ts';

/**
 * Has the new generation serve, with what was noted as its changes: a few rows, however many members there are. The old
 * one is deleted later. Segments that name this one are built again if anybody has entered or left, or if they have failed
 * with it; that comes first, while it is known up to when their members are right. Returns undefined if somebody has
 * deleted the segment.
 */
export async function finish(
  tx: Sql,
  storeId: string,
  segment: KeptSegment,
  build: OpenBuild,
  tools: TransactionTools,
): Promise<Partial<SegmentWork> | undefined> {
  const { segmentId, generation } = build;
  const now = tools.now();
  const at = sql`${new Date(now).toISOString()}::timestamptz`;
  await rebuildNaming(tx, storeId, build);
  await releaseBuilt(tx, storeId, segmentId, now);
  const { rows } = await sql<Counts & { seconds: number }>`
    with built as (
      update segment_build set finished_at = ${at}
      where store_id = ${storeId} and segment_id = ${segmentId} and generation = ${generation}
      returning *
    )
    update segment s
    set generation = b.generation, served_definition = b.definition, members = b.members,
      first_partition = b.first_partition, stale_since = null, failure = null,
      list_ids = ${uuids([...build.uses.lists])}::uuid[], segment_ids = ${uuids([...build.uses.segments])}::uuid[]
    from built b
    where s.store_id = ${storeId} and s.id = ${segmentId}
    returning b.entered::float8 as entered, b."left"::float8 as "left",
      extract(epoch from ${at} - b.requested_at)::float8 as seconds`.execute(tx);
  const [counts] = rows;
  if (!counts) return undefined;
  await countDay(tx, storeId, [{ segmentId, ...counts }], now);
  if (segment.generation > 0) {
    await sql`
      insert into segment_leftover (store_id, segment_id, generation, kind)
      values (${storeId}, ${segmentId}, ${segment.generation}, 'members') on conflict do nothing`.execute(tx);
  }
  return { moves: { definition: counts.entered + counts.left }, buildSeconds: [counts.seconds] };
}

async function rebuildNaming(tx: Sql, storeId: string, { segmentId, generation }: OpenBuild): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select s.id
    from segment s
    join segment_build b on b.store_id = ${storeId} and b.segment_id = ${segmentId} and b.generation = ${generation}
    where s.store_id = ${storeId} and ${segmentId}::uuid = any(s.segment_ids)
      and (b.entered + b."left" > 0 or s.failure is not null)
    order by s.id
    for update of s`.execute(tx);
  const ids = rows.map(({ id }) => id);
  await requestBuilds(tx, storeId, ids, { reason: 'segment_changed', isStale: true });
}
