import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import { HIGHEST_ID, LOWEST_ID, lowestIdAt } from '../../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readBefore, toPage } from '../../reading/cursor.ts';
import type { AttemptError } from './attempt.ts';
import type { CallRequest } from './call-request.ts';

export type DeliveryStatus = 'pending' | 'sending' | 'delivered' | 'failed' | 'expired' | 'held';

export interface Delivery {
  id: string;
  endpointId: string;
  /** Null for a test of the endpoint. */
  runId: string | null;
  messageType: string;
  status: DeliveryStatus;
  /** Null once nothing more is to be done, and while it is being sent. */
  nextAttemptAt: Date | null;
  expiresAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export interface Attempt {
  number: number;
  at: Date;
  status: number | null;
  error: AttemptError | null;
  ms: number;
  excerpt: string | null;
  /** Whether its request was sent once more, on a new connection. */
  isResent: boolean;
}

export interface DeliveryWithAttempts extends Delivery {
  body: string;
  /** Null for a message. */
  request: CallRequest | null;
  /** The latest first. */
  attempts: Attempt[];
}

export interface DeliveryFilter {
  status: DeliveryStatus | undefined;
  /** Of their creation. */
  from: Date | undefined;
  to: Date | undefined;
}

/** The latest attempts of a delivery, which are kept. */
export const KEPT_ATTEMPTS = 50;

interface DeliveryRow {
  id: string;
  endpointId: string;
  runId: string | null;
  messageType: string;
  status: DeliveryStatus;
  due: number | null;
  expires: number | null;
  created: number;
  finished: number | null;
}

const COLUMNS = sql`
  d.id, d.endpoint_id as "endpointId", d.run_id as "runId", d.message_type as "messageType", d.status,
  case d.status when 'pending' then (extract(epoch from d.due_at) * 1000)::float8 end as due,
  (extract(epoch from d.expires_at) * 1000)::float8 as expires,
  (extract(epoch from d.created_at) * 1000)::float8 as created,
  (extract(epoch from d.finished_at) * 1000)::float8 as finished`;

/** Undefined if the store has no such delivery. */
export async function findDelivery(db: Sql, storeId: string, id: string): Promise<DeliveryWithAttempts | undefined> {
  const { rows } = await sql<DeliveryRow & { body: Buffer; request: RawJson | null }>`
    select ${COLUMNS}, d.body, d.request from webhook_delivery d where d.store_id = ${storeId} and d.id = ${id}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) return undefined;
  const { rows: attempts } = await sql<Omit<Attempt, 'at'> & { made: number }>`
    select number, (extract(epoch from at) * 1000)::float8 as made, status, error, ms, excerpt, is_resent as "isResent"
    from webhook_attempt
    where store_id = ${storeId} and delivery_id = ${id}
    order by number desc
    limit ${KEPT_ATTEMPTS}`.execute(db);
  return {
    ...fromRow(row),
    body: row.body.toString(),
    request: row.request && (JSON.parse(row.request.text) as CallRequest),
    attempts: attempts.map(({ made, ...attempt }) => ({ ...attempt, at: new Date(made) })),
  };
}

/** Returns the deliveries of an endpoint, newest first; undefined if the store has no such endpoint. */
export async function listDeliveries(
  db: Sql,
  storeId: string,
  endpointId: string,
  { status, from, to }: DeliveryFilter,
  page: PageRequest,
): Promise<Page<Delivery> | undefined> {
  const cursor = readBefore(page.cursor);
  const { rows } = await sql<DeliveryRow & { candidates?: never }>`
    select ${COLUMNS} from webhook_delivery d
    where d.store_id = ${storeId} and d.endpoint_id = ${endpointId}
      and d.id < ${cursor} and ${createdWithin(from, to)}
      ${status === undefined ? sql`` : sql`and d.status = ${status}`}
    order by d.id desc
    limit ${page.limit + 1}`.execute(db);
  if (rows.length === 0 && !(await hasEndpoint(db, storeId, endpointId))) return undefined;
  return toPage(rows, page.limit, fromRow, idCursor);
}

/** Ids tell when deliveries were created. */
export function createdWithin(from: Date | undefined, to: Date | undefined) {
  const [lowest, highest] = [from ? lowestIdAt(from) : LOWEST_ID, to ? lowestIdAt(to) : HIGHEST_ID];
  return sql`d.id >= ${lowest} and d.id < ${highest}`;
}

export async function hasEndpoint(db: Sql, storeId: string, id: string): Promise<boolean> {
  const { rows } = await sql`select from webhook_endpoint where store_id = ${storeId} and id = ${id}`.execute(db);
  return rows.length > 0;
}

function fromRow(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    endpointId: row.endpointId,
    runId: row.runId,
    messageType: row.messageType,
    status: row.status,
    nextAttemptAt: toDate(row.due),
    expiresAt: toDate(row.expires),
    createdAt: new Date(row.created),
    finishedAt: toDate(row.finished),
  };
}

function toDate(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}
