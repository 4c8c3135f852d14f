import { sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import { isHeld } from '../../store-hold.ts';
import { isBeingBuilt } from '../audience.ts';
import type { Campaign } from '../campaign.ts';
import { lookAt } from '../readiness.ts';

/** Milliseconds after its time at which a campaign does not begin by itself any more. */
const MAX_LATE_MS = 60 * 60 * 1000;
/** Campaigns of a store that are under way by themselves; what waits for them, or for a segment, looks again after so many seconds. */
const [MAX_UNDER_WAY, AGAIN_S] = [5, 10];

/**
 * Begins a campaign whose time has come, which the caller has locked; or says why it does not. Returns whether it has.
 */
export async function begin(tx: Sql, storeId: string, campaign: Campaign): Promise<boolean> {
  const { id, scheduledAt } = campaign;
  const become = async (status: 'held' | 'missed' | 'paused', reason: string | null = null): Promise<false> => {
    await sql`
      update campaign set status = ${status}, reason = ${reason}, due_at = null, updated_at = now()
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    return false;
  };
  const lookAgain = async (): Promise<false> => {
    await sql`
      update campaign set due_at = now() + make_interval(secs => ${AGAIN_S})
      where store_id = ${storeId} and id = ${id}`.execute(tx);
    return false;
  };
  if (await isHeld(tx, storeId)) return await become('held');
  const isLate = Date.now() - (scheduledAt?.getTime() ?? 0) > MAX_LATE_MS;
  // Those of a store begin one after the other: they are counted.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`footfall.campaigns ${storeId}`}, 0))`.execute(tx);
  if (!isLate && (await countUnderWay(tx, storeId)) >= MAX_UNDER_WAY) return await lookAgain();
  const { lacks } = await lookAt(tx, storeId, campaign);
  const [first] = lacks;
  if (first) {
    const mayPass =
      lacks.every(({ code }) => code === 'audience') && (await isBeingBuilt(tx, storeId, campaign.audience));
    if (mayPass && !isLate) return await lookAgain();
    return await become('paused', `not_ready: ${first.error.message}`.slice(0, 500));
  }
  if (isLate) return await become('missed');
  await sql`
    update campaign set status = 'preparing', started_at = ${new Date().toISOString()}::timestamptz, updated_at = now()
    where store_id = ${storeId} and id = ${id}`.execute(tx);
  return true;
}

async function countUnderWay(tx: Sql, storeId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from campaign
    where store_id = ${storeId} and status in ('preparing', 'sending')
      -- What waits for the clocks of its recipients keeps nobody else waiting.
      and (timing is null or prepared_at is null)`.execute(tx);
  return rows[0]?.count ?? 0;
}
