import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { HIGHEST_ID } from '../../ids/uuid-v7.ts';
import type { Kind } from './engine/apply.ts';
import type { Cause } from './engine/origin.ts';

/** One change of a customer's membership. Times are milliseconds. */
export interface MoveRow {
  id: string;
  cause: Cause;
  at: number;
  /** When its transaction began. */
  writtenAt: number;
}

interface MovesRequest {
  segmentId: string;
  profileId: string;
  kind: Kind;
  /** The id before which to read. */
  before: string;
  limit: number;
}

/** Returns when and why a customer has entered a segment, or left it, the latest first. */
export async function readMoves(
  db: Sql,
  storeId: string,
  { segmentId, profileId, kind, before, limit }: MovesRequest,
): Promise<MoveRow[]> {
  // What comes with its generation is not there before that serves.
  const { rows } = await sql<MoveRow>`
    select c.id, c.cause, (extract(epoch from coalesce(c.changed_at, b.finished_at)) * 1000)::float8 as at,
      (extract(epoch from c.written_at) * 1000)::float8 as "writtenAt"
    from segment s
    join segment_change c on c.store_id = ${storeId} and c.segment_id = s.id and c.generation <= s.generation
    join segment_build b on b.store_id = ${storeId} and b.segment_id = s.id and b.generation = c.generation
      and b.finished_at is not null
    where s.store_id = ${storeId} and s.id = ${segmentId} and c.profile_id = ${profileId} and c.kind = ${kind}
      and c.id < ${before}::uuid
    order by c.id desc
    limit ${limit}`.execute(db);
  return rows;
}

/** Whether a customer is in a segment. `since` is in milliseconds; null if it is not known, and so is the cause. */
export interface Standing {
  segmentId: string;
  isMember: boolean;
  since: number | null;
  cause: Cause | null;
}

/** Undefined if the store has no such segment. */
export async function standingOf(
  db: Sql,
  storeId: string,
  { segmentId, profileId }: { segmentId: string; profileId: string },
): Promise<Standing | undefined> {
  const { rows } = await sql<{ enteredAt: number | null }>`
    select (extract(epoch from m.entered_at) * 1000)::float8 as "enteredAt"
    from segment s
    left join segment_member m on m.store_id = ${storeId} and m.segment_id = s.id and m.generation = s.generation
      and m.profile_id = ${profileId}
    where s.store_id = ${storeId} and s.id = ${segmentId}`.execute(db);
  const [segment] = rows;
  if (!segment) return undefined;
  const isMember = segment.enteredAt !== null;
  const kind = isMember ? 'entered' : 'left';
  const [last] = await readMoves(db, storeId, { segmentId, profileId, kind, before: HIGHEST_ID, limit: 1 });
  return { segmentId, isMember, since: last?.at ?? segment.enteredAt, cause: last?.cause ?? null };
}
