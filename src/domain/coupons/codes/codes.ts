import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { LOWEST_ID, lowestIdAt } from '../../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../../reading/cursor.ts';
import type { CodeStatus } from './counts.ts';

/** A code of a pool. */
export interface CouponCode {
  id: string;
  poolId: string;
  code: string;
  status: CodeStatus;
  profileId: string | null;
  runId: string | null;
  orderId: string | null;
  createdAt: Date;
  assignedAt: Date | null;
  usedAt: Date | null;
}

export type CodeRow = Omit<CouponCode, 'createdAt' | 'assignedAt' | 'usedAt'> & {
  created: number;
  assigned: number | null;
  used: number | null;
  candidates?: never;
};

/** Columns to select from `coupon_code c` for a `CodeRow`. */
export const CODE_COLUMNS = sql`
  c.id, c.pool_id as "poolId", c.code, c.status, c.profile_id as "profileId", c.run_id as "runId",
  c.order_id as "orderId", (extract(epoch from c.created_at) * 1000)::float8 as created,
  (extract(epoch from c.assigned_at) * 1000)::float8 as assigned,
  (extract(epoch from c.used_at) * 1000)::float8 as used`;

export function codeFromRow({ created, assigned, used, candidates: _, ...code }: CodeRow): CouponCode {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms));
  return { ...code, createdAt: new Date(created), assignedAt: time(assigned), usedAt: time(used) };
}

/** Milliseconds by which the clocks of processes and of the database may differ. */
const LATE_ID = 60_000;

interface CodeFilter {
  status?: CodeStatus | undefined;
  /** Those that were added at this time or later. */
  since?: Date | undefined;
}

/** Returns the codes of a pool, those added last first. */
export async function listCodes(
  db: Sql,
  storeId: string,
  poolId: string,
  { status, since }: CodeFilter,
  page: PageRequest,
): Promise<Page<CouponCode>> {
  const before = readBefore(page.cursor);
  const ofStatus = status === undefined ? sql`` : sql`and c.status = ${status}`;
  const added = since === undefined ? sql`` : sql`and c.created_at >= ${since}`;
  const from = since === undefined ? LOWEST_ID : lowestIdAt(new Date(Math.max(0, since.getTime() - LATE_ID)));
  const { rows } = await sql<CodeRow>`
    select ${CODE_COLUMNS} from coupon_code c
    where c.store_id = ${storeId} and c.pool_id = ${poolId} ${ofStatus} and c.id >= ${from} and c.id < ${before} ${added}
    order by c.id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, codeFromRow, idCursor);
}

/** Returns the codes that a customer has been given, newest first. */
export async function listCodesOfProfile(
  db: Sql,
  storeId: string,
  profileId: string,
  page: PageRequest,
): Promise<Page<CouponCode>> {
  const before = readBefore(page.cursor);
  const { rows } = await sql<CodeRow>`
    select ${CODE_COLUMNS} from coupon_code c
    where c.store_id = ${storeId} and c.profile_id = ${profileId} and c.id < ${before}
    order by c.id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, codeFromRow, idCursor);
}
