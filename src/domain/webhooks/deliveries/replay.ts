import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { ServiceError } from '../../service-error.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { deletedEndpoint } from '../endpoints/endpoints.ts';
import { countAgain } from './count-again.ts';
import { createdWithin, type DeliveryWithAttempts, findDelivery } from './deliveries.ts';

/** Deliveries that one request replays. */
const MAX_REPLAYED = 5_000;

const FROM_THE_START = sql`status = 'pending', due_at = now(), attempt = 0, finished_at = null`;
/** What has expired stays so, also where it ended somewhat before its time. */
const IS_IN_TIME = sql`(status <> 'expired' and (expires_at is null or expires_at > now()))`;

/**
 * Sends a delivery once more, with the same id and bytes, and all attempts; one that is still to be sent stays as it is.
 * Undefined if the store has no such delivery. Throws `validation_error` if it has expired, or its endpoint takes none.
 */
export async function replayDelivery(db: Sql, storeId: string, id: string): Promise<DeliveryWithAttempts | undefined> {
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ endpointId: string; isInTime: boolean; isWaiting: boolean }>`
        select endpoint_id as "endpointId", ${IS_IN_TIME} as "isInTime", due_at is not null as "isWaiting"
        from webhook_delivery where store_id = ${storeId} and id = ${id} for update`.execute(tx);
      const [found] = rows;
      if (!found) return undefined;
      if (!found.isWaiting) {
        if (!found.isInTime) throw new ServiceError('validation_error', 'The delivery has expired');
        await expectTaking(tx, storeId, found.endpointId);
        await sql`
          with replayed as (
            update webhook_delivery set ${FROM_THE_START} where store_id = ${storeId} and id = ${id} returning run_id, seq
          )
          ${countAgain(storeId, sql`replayed`)}`.execute(tx);
      }
      return await findDelivery(tx, storeId, id);
    }),
  );
}

export interface ReplayOfMany {
  status: 'failed' | 'held';
  /** Of their creation. */
  from: Date | undefined;
  to: Date | undefined;
}

/**
 * Sends deliveries of an endpoint once more, the oldest first, but for those that have expired. Returns how many, and
 * whether there may be more; undefined if the store has no such endpoint.
 */
export async function replayDeliveries(
  db: Sql,
  storeId: string,
  endpointId: string,
  { status, from, to }: ReplayOfMany,
): Promise<{ replayed: number; isMore: boolean } | undefined> {
  if (!(await expectTaking(db, storeId, endpointId))) return undefined;
  const candidates = sql`
    webhook_delivery d
    where d.store_id = ${storeId} and d.endpoint_id = ${endpointId} and d.status = ${status}
      and ${createdWithin(from, to)} and ${IS_IN_TIME}
    order by d.id`;
  // Those that others have just locked are passed over, and left.
  const { rows } = await sql<{ replayed: number; isMore: boolean }>`
    with chosen as (
      select d.ctid from ${candidates}
      limit ${MAX_REPLAYED}
      for update skip locked
    ), replayed as (
      update webhook_delivery set ${FROM_THE_START}
      where ctid = any(array(select ctid from chosen))
      returning run_id, seq
    ), counted as (${countAgain(storeId, sql`replayed`)})
    select count(*)::int as replayed,
      count(*) < (select count(*) from (select from ${candidates} limit ${MAX_REPLAYED + 1}) as found) as "isMore"
    from replayed`.execute(db);
  return rows[0];
}

/** Returns whether there is such an endpoint. Throws `validation_error` for one that is deleted or disabled. */
async function expectTaking(db: Sql, storeId: string, id: string): Promise<boolean> {
  const { rows } = await sql<{ isDeleted: boolean; isDisabled: boolean }>`
    select deleted_at is not null as "isDeleted", disabled_at is not null as "isDisabled"
    from webhook_endpoint where store_id = ${storeId} and id = ${id}`.execute(db);
  const [found] = rows;
  if (found?.isDeleted) throw deletedEndpoint();
  if (found?.isDisabled) throw new ServiceError('validation_error', 'The endpoint is disabled; enable it first');
  return found !== undefined;
}
