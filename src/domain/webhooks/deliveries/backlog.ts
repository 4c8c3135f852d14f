import { sql } from 'kysely';
import { headsOfQueues } from '../../../db/rows.ts';
import type { StoreData } from '../../../db/store-data.ts';

/** What the sender of webhooks has to do, over all stores. */
export interface WebhookBacklog {
  /** Deliveries that wait or are being sent; of each part of the data, counted up to `MAX_COUNTED`. */
  waiting: number;
  /** Seconds since the oldest of them was created. */
  oldestSeconds: number;
  /** Endpoints that are disabled as they only failed, or are gone. */
  disabledEndpoints: number;
}

const MAX_COUNTED = 100_000;

/** Reads a part of the queue at most, and a row for each endpoint that something waits for. */
export async function measureWebhooks(stores: Pick<StoreData, 'each'>): Promise<WebhookBacklog> {
  const backlog: WebhookBacklog = { waiting: 0, oldestSeconds: 0, disabledEndpoints: 0 };
  await stores.each(async (db) => {
    const { rows } = await sql<WebhookBacklog>`
      with recursive ${headsOfQueues('queues', 'webhook_delivery', 'endpoint_id')}
      select
        (
          select count(*) from (
            select from webhook_delivery where due_at is not null
            order by store_id, endpoint_id, due_at
            limit ${MAX_COUNTED}
          ) as counted
        )::float8 as waiting,
        coalesce((
          select max(extract(epoch from now() - oldest.created_at)) from queues q
          cross join lateral (
            select d.created_at from webhook_delivery d
            where d.store_id = q.store_id and d.endpoint_id = q.endpoint_id and d.status = 'pending'
            order by d.id limit 1
          ) oldest
        ), 0)::float8 as "oldestSeconds",
        (
          select count(*) from webhook_endpoint
          where disabled_at is not null and deleted_at is null and disabled_reason <> 'requested'
        )::float8 as "disabledEndpoints"`.execute(db);
    const [part] = rows as [WebhookBacklog];
    backlog.waiting += part.waiting;
    backlog.oldestSeconds = Math.max(backlog.oldestSeconds, part.oldestSeconds);
    backlog.disabledEndpoints += part.disabledEndpoints;
  }, 'webhook_delivery');
  return backlog;
}
