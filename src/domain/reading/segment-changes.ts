import { sql } from 'kysely';
import type { SegmentChangeRecord } from '../../db/entities/segment-change.ts';
import { rowsById } from '../../db/rows.ts';
import type { Sql } from '../../db/sql.ts';

/** Somebody entered or left a segment. */
export interface SegmentChange {
  id: string;
  profileId: string;
  kind: SegmentChangeRecord['kind'];
  cause: SegmentChangeRecord['cause'];
  /** Milliseconds. */
  at: number;
}

/** The same, and of which segment. */
export interface ChangeOfSegment extends SegmentChange {
  segmentId: string;
}

/** Returns changes by id, of many segments. Those of a segment that was deleted meanwhile may be gone. */
export async function findSegmentChanges(
  db: Sql,
  storeId: string,
  ids: readonly string[],
): Promise<Map<string, ChangeOfSegment>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<ChangeOfSegment>`
    select c.id, c.segment_id as "segmentId", c.profile_id as "profileId", c.kind, c.cause,
      (extract(epoch from c.changed_at) * 1000)::float8 as at
    from ${rowsById('segment_change', storeId, ids)} c`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
