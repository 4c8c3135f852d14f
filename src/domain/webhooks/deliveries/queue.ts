import { sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';

/** A message of a run that is to be sent. Times are milliseconds. */
export interface NewDelivery {
  runId: string;
  /** The number of the effect: there is one delivery for it. */
  seq: number;
  endpointId: string;
  messageType: string;
  body: Buffer;
  isAwaited: boolean;
  expiresAt: number | null;
}

/** Deliveries that may wait for an endpoint. */
const MAX_QUEUED = 1_000_000;
/** Milliseconds for which the count of those that wait is used; or so many times as long as it took, if that is more. */
const [COUNT_MS, COUNT_SHARE] = [10_000, 100];

/** Whether endpoints take any more deliveries: counting many takes a while, so it is done now and then. */
export class EndpointQueues {
  readonly #counted = new Map<string, { isFull: boolean; until: number }>();

  /** Returns why endpoints of a store take nothing, by their ids. */
  async refusals(tx: Sql, storeId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await sql<{ id: string }>`
      select id from webhook_endpoint
      where store_id = ${storeId} and id = any(${uuids(ids)}::uuid[]) and deleted_at is null`.execute(tx);
    const taking = new Set(rows.map(({ id }) => id));
    const refusals = new Map<string, string>();
    for (const id of ids) {
      if (!taking.has(id)) refusals.set(id, 'endpoint_deleted');
      else if (await this.#isFull(tx, storeId, id)) refusals.set(id, 'queue_full');
    }
    return refusals;
  }

  async #isFull(tx: Sql, storeId: string, id: string): Promise<boolean> {
    const known = this.#counted.get(id);
    const start = performance.now();
    if (known && start < known.until) return known.isFull;
    const { rows } = await sql`
      select from webhook_delivery
      where store_id = ${storeId} and endpoint_id = ${id} and due_at is not null
      order by due_at
      offset ${MAX_QUEUED} limit 1`.execute(tx);
    if (this.#counted.size >= 10_000) this.#counted.clear();
    const end = performance.now();
    this.#counted.set(id, { isFull: rows.length > 0, until: end + Math.max(COUNT_MS, COUNT_SHARE * (end - start)) });
    return rows.length > 0;
  }
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
      (store_id, id, endpoint_id, run_id, seq, is_awaited, message_type, body, status, due_at, attempt, claim,
        expires_at, created_at)
    select ${storeId}::uuid, id, endpoint_id, run_id, seq, is_awaited = 1, message_type, convert_to(body, 'UTF8'),
      'pending', ${at}, 0, 0, expires_at::timestamptz, ${at}
    from unnest(
      ${uuids(deliveries.map(() => newId()))}::uuid[],
      ${uuids(deliveries.map(({ endpointId }) => endpointId))}::uuid[],
      ${uuids(deliveries.map(({ runId }) => runId))}::uuid[],
      ${integers(deliveries.map(({ seq }) => seq))}::int[],
      ${integers(deliveries.map(({ isAwaited }) => (isAwaited ? 1 : 0)))}::int[],
      ${texts(deliveries.map(({ messageType }) => messageType))}::text[],
      ${texts(deliveries.map(({ body }) => body.toString()))}::text[],
      ${texts(deliveries.map(({ expiresAt }) => (expiresAt === null ? null : new Date(expiresAt).toISOString())))}::text[]
    ) as d (id, endpoint_id, run_id, seq, is_awaited, message_type, body, expires_at)`.execute(tx);
}
