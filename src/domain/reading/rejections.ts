import { sql } from 'kysely';
import type { ApiKeyRecord } from '../../db/entities/api-key.ts';
import type { RejectionRecord } from '../../db/entities/rejection.ts';
import type { Sql } from '../../db/orm.ts';
import { HIGHEST_ID } from '../../ids/uuid-v7.ts';
import type { Caller } from '../caller.ts';
import type { Rejection } from '../rejections.ts';
import type { ErrorCode } from '../service-error.ts';
import { idCursor, type Page, type PageRequest, readIdCursor, toPage } from './cursor.ts';

/** A refused request with the name of its key. */
export interface NamedRejection extends Rejection {
  keyName: string;
}

/** As a raw query returns it; see `EventRow`. */
export type RejectionRow = Pick<
  RejectionRecord,
  'id' | 'requestId' | 'operation' | 'keyId' | 'status' | 'code' | 'field' | 'message'
> & { keyName: ApiKeyRecord['name']; rejected: number };

/** Columns to select from `rejection r` and `api_key k` for a `RejectionRow`. */
export const REJECTION_COLUMNS = sql`
  r.id, r.request_id as "requestId", r.operation, r.key_id as "keyId", k.name as "keyName", r.status, r.code, r.field,
  r.message, (extract(epoch from r.rejected_at) * 1000)::float8 as rejected`;

/**
 * Returns the latest refused requests of the caller's store, newest first. Not by the entity manager: a hundred of them,
 * with their keys, would take 2.4 ms of the thread that serves requests instead of 0.2 ms.
 */
export async function readRejections(db: Sql, { storeId }: Caller, page: PageRequest): Promise<Page<NamedRejection>> {
  const before = page.cursor === undefined ? HIGHEST_ID : readIdCursor(page.cursor);
  const { rows } = await sql<RejectionRow & { candidates?: never }>`
    select ${REJECTION_COLUMNS}
    from rejection r join api_key k on k.id = r.key_id
    where r.store_id = ${storeId} and r.id < ${before}
    order by r.id desc
    limit ${page.limit + 1}`.execute(db);
  return toPage(rows, page.limit, rejectionFromRow, idCursor);
}

export function rejectionFromRow({ rejected, code, ...rejection }: RejectionRow): NamedRejection {
  return { ...rejection, code: code as ErrorCode, rejectedAt: new Date(rejected) };
}
