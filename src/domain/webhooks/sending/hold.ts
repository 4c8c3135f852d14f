import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { applyDeliveries } from '../../automations/run-actions.ts';
import type { VersionCache } from '../../automations/stored/version-cache.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { DeliveryOutcome } from './observed.ts';

/** Deliveries of one transaction, and of these, ones that runs wait for: while they go on, nobody can enable the endpoint. */
const MOST = 500;
const MOST_AWAITED = 50;

/**
 * Puts aside what waits for an endpoint that nothing is sent to any more: what waits for a disabled one is held, what
 * waits for a deleted one has failed. Runs that wait for them go on. Returns how many, and whether there may be more; none
 * if the endpoint has changed since.
 */
export async function holdDeliveries(
  db: Sql,
  storeId: string,
  endpointId: string,
  ended: 'disabled' | 'deleted',
  versions: VersionCache,
): Promise<{ outcomes: DeliveryOutcome[]; isMore: boolean }> {
  const status = ended === 'disabled' ? 'held' : 'failed';
  const isEnded =
    ended === 'disabled' ? sql`deleted_at is null and disabled_at is not null` : sql`deleted_at is not null`;
  return await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ runId: string; seq: number; isAwaited: boolean; found: number }>`
        with endpoint as (
          -- What is replayed once it is enabled again is to be sent.
          select id from webhook_endpoint
          where store_id = ${storeId} and id = ${endpointId} and ${isEnded}
          for share
        ), chosen as (
          select id, is_awaited from webhook_delivery
          where store_id = ${storeId} and endpoint_id = (select id from endpoint) and due_at is not null
            and (status = 'pending' or due_at <= now())
          order by due_at
          limit ${MOST}
          for update skip locked
        ), counted as (
          select id, count(*) filter (where is_awaited) over (rows unbounded preceding) as awaited from chosen
        )
        update webhook_delivery set status = ${status}, due_at = null, finished_at = now()
        where store_id = ${storeId} and id = any(array(select id from counted where awaited <= ${MOST_AWAITED}))
        returning run_id as "runId", seq, is_awaited as "isAwaited", (select count(*)::int from chosen) as found`.execute(
        tx,
      );
      const found = rows[0]?.found ?? 0;
      const awaited = rows.filter(({ isAwaited }) => isAwaited);
      await applyDeliveries(
        tx,
        storeId,
        awaited.map(({ runId, seq }) => ({ runId, seq, result: 'failed' })),
        versions,
      );
      return { outcomes: rows.map(() => status), isMore: found === MOST || rows.length < found };
    }),
  );
}
