import { sql } from 'kysely';
import { headsOfQueues } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';

/** An endpoint that something is to be done for. */
export interface DueEndpoint {
  storeId: string;
  endpointId: string;
  /** Seconds for which the delivery has been due that is due longest. */
  lag: number;
}

/**
 * Finds the endpoints of one part of the data that have deliveries which are due, or that nothing is sent to any more.
 * Not those that rest, nor those of stores that are held. As much work as there are endpoints with deliveries, however many
 * of these there are.
 */
export async function findDueEndpoints(db: Sql): Promise<DueEndpoint[]> {
  const { rows } = await sql<DueEndpoint>`
    with recursive ${headsOfQueues('waiting', 'webhook_delivery', 'endpoint_id')}
    select w.store_id as "storeId", w.endpoint_id as "endpointId",
      greatest(0, extract(epoch from now() - w.due_at))::float8 as lag
    from waiting w
    join webhook_endpoint e on e.store_id = w.store_id and e.id = w.endpoint_id
    where (
        (w.due_at <= now() and (e.resting_until is null or e.resting_until <= now()))
        or e.disabled_at is not null or e.deleted_at is not null
      )
      and not exists (select from automation_hold h where h.store_id = w.store_id)`.execute(db);
  return rows;
}
