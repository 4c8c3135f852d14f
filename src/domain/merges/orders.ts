import { sql } from 'kysely';
import { lockOrders } from '../orders/reader/lock-build.ts';
import { changeSums, SUMMED, type SummedOrder } from '../orders/reader/sums.ts';
import { BATCH, type Step } from '../sweeps/step.ts';
import type { Merging } from './merge.ts';

/** Moves orders, with what they come to: of two customers who were new, one is. */
export const moveOrders: Step<Merging> = async (tx, { storeId, profileId, winnerId }) => {
  await lockOrders(tx, storeId);
  const { rows } = await sql<SummedOrder>`
    update store_order set profile_id = ${winnerId}
    where store_id = ${storeId} and ctid = any(array(
      select ctid from store_order where store_id = ${storeId} and profile_id = ${profileId} limit ${BATCH}))
    returning ${SUMMED}`.execute(tx);
  await changeSums(tx, storeId, { less: rows.map((row) => ({ ...row, profileId })), more: rows });
  return { counts: { store_order: rows.length }, next: rows.length === BATCH ? 'more' : null };
};
