import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt } from '../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../reading/cursor.ts';
import type { Attempt, Ending } from './audit-log.ts';

export interface AuditFilter {
  actorId: string | undefined;
  operation: string | undefined;
  from: Date | undefined;
  to: Date | undefined;
}

/** An entry, as it is read. */
export interface AuditEntry extends Omit<Attempt, 'storeId'> {
  begunAt: Date;
  endedAt: Date | null;
  outcome: Ending['outcome'] | 'pending' | 'unknown';
  status: number | null;
}

interface Row extends Omit<AuditEntry, 'actor' | 'begunAt' | 'endedAt'> {
  actorKind: AuditEntry['actor']['kind'];
  actorId: string | null;
  /** Milliseconds of Unix time. */
  begun: number;
  ended: number | null;
  candidates?: never;
}

/** Minutes after which nobody comes back any more to complete an entry: no request lasts as long. */
const OPEN_MINUTES = 5;

/** Returns entries of a store, newest first. */
export async function readAuditEntries(
  db: Sql,
  storeId: string,
  { actorId, operation, from, to }: AuditFilter,
  { limit, cursor }: PageRequest,
): Promise<Page<AuditEntry>> {
  const before = readBefore(cursor);
  const { rows } = await sql<Row>`
    select id, actor_kind as "actorKind", actor_id as "actorId", address, operation, target, fields, status,
      request_id as "requestId",
      (extract(epoch from begun_at) * 1000)::float8 as begun, (extract(epoch from ended_at) * 1000)::float8 as ended,
      coalesce(outcome, case
        when begun_at > now() - make_interval(mins => ${OPEN_MINUTES}::int) then 'pending' else 'unknown'
      end) as outcome
    from audit_entry
    where store_id = ${storeId} and id < ${before}::uuid
      and id >= ${from ? lowestIdAt(from) : LOWEST_ID}::uuid and id < ${to ? lowestIdAt(to) : HIGHEST_ID}::uuid
      ${actorId === undefined ? sql`` : sql`and actor_id = ${actorId}`}
      ${operation === undefined ? sql`` : sql`and operation = ${operation}`}
    order by id desc limit ${limit + 1}`.execute(db);
  return toPage(rows, limit, toEntry, idCursor);
}

function toEntry({ actorKind: kind, actorId: id, begun, ended, candidates: _, ...entry }: Row): AuditEntry {
  const endedAt = ended === null ? null : new Date(ended);
  return { ...entry, actor: { kind, id }, begunAt: new Date(begun), endedAt };
}
