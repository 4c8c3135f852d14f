import { sql } from 'kysely';
import { integers, jsons, texts, uuids } from '../../../db/binary-arrays.ts';
import { FullQueues } from '../../../db/full-queues.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import type { CallRequest } from './call-request.ts';

/** A message of a run that is to be sent. Times are milliseconds. */
export interface NewDelivery {
  runId: string;
  /** The number of the effect: there is one delivery for it. */
  seq: number;
  endpointId: string;
  messageType: string;
  body: Buffer;
  /** Null for a message. */
  request: CallRequest | null;
  isAwaited: boolean;
  expiresAt: number | null;
}

/** Whether endpoints take any more deliveries. */
export class EndpointQueues {
  readonly #queues = new FullQueues('webhook_delivery', 'endpoint_id');

  /** Returns why endpoints of a store take nothing, by their ids. */
  async refusals(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await sql<{ id: string }>`
      select id from webhook_endpoint
      where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) and deleted_at is null`.execute(tx);
    const taking = new Set(rows.map(({ id }) => id));
    const refusals = new Map<string, string>();
    for (const id of ids) {
      if (!taking.has(id)) refusals.set(id, 'endpoint_deleted');
      else if (await this.#queues.isFull(tx, storeId, id)) refusals.set(id, 'queue_full');
    }
    return refusals;
  }
}

/**
 * Queues a message that no run sends, once by its id. Returns whether its endpoint takes it: one that was deleted does not.
 */
export async function queueMessage(
  db: Sql,
  storeId: string,
  { id, endpointId, type, body }: { id: string; endpointId: string; type: string; body: Buffer },
): Promise<boolean> {
  const { rows } = await sql`
    with endpoint as (
      select id from webhook_endpoint where store_id = ${storeId} and id = ${endpointId} and deleted_at is null
    ), inserted as (
      insert into webhook_delivery
        (store_id, id, endpoint_id, is_awaited, message_type, body, status, due_at, attempt, claim, created_at)
      select ${storeId}, ${id}, id, false, ${type}, ${body}::bytea, 'pending', now(), 0, 0, now() from endpoint
      on conflict do nothing
    )
    select from endpoint`.execute(db);
  return rows.length > 0;
}

/** Queues messages within a transaction; they are sent once it is committed. */
export async function insertDeliveries(
  tx: Sql,
  storeId: string,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<void> {
  const at = sql`${new Date(now).toISOString()}::timestamptz`;
  await sql`
    insert into webhook_delivery
      (store_id, id, endpoint_id, run_id, seq, is_awaited, message_type, body, request, status, due_at, attempt, claim,
        expires_at, created_at)
    select ${storeId}::uuid, id, endpoint_id, run_id, seq, is_awaited = 1, message_type, convert_to(body, 'UTF8'),
      request::jsonb, 'pending', ${at}, 0, 0, expires_at::timestamptz, ${at}
    from unnest(
      ${uuids(deliveries.map(() => newId()))}::uuid[],
      ${uuids(deliveries.map(({ endpointId }) => endpointId))}::uuid[],
      ${uuids(deliveries.map(({ runId }) => runId))}::uuid[],
      ${integers(deliveries.map(({ seq }) => seq))}::int[],
      ${integers(deliveries.map(({ isAwaited }) => (isAwaited ? 1 : 0)))}::int[],
      ${texts(deliveries.map(({ messageType }) => messageType))}::text[],
      ${texts(deliveries.map(({ body }) => body.toString()))}::text[],
      ${jsons(deliveries.map(({ request }) => request))}::json[],
      ${texts(deliveries.map(({ expiresAt }) => (expiresAt === null ? null : new Date(expiresAt).toISOString())))}::text[]
    ) as d (id, endpoint_id, run_id, seq, is_awaited, message_type, body, request, expires_at)`.execute(tx);
}
