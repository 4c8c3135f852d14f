import { sql } from 'kysely';
import { BATCH, type Step } from '../../sweeps/step.ts';
import type { Erasing } from '../erasure.ts';

/** Codes stay given out, so that nobody else gets them, and are nobody's: they are their own holders. */
export const sweepCoupons: Step<Erasing> = async (tx, { storeId, profileId }) => {
  const { rows } = await sql`
    update coupon_code set profile_id = null, holder = id, run_id = null, order_id = null
    where store_id = ${storeId} and ctid = any(array(
      select ctid from coupon_code where store_id = ${storeId} and profile_id = ${profileId} limit ${BATCH}))
    returning 1`.execute(tx);
  return { counts: { coupon_code: rows.length }, next: rows.length === BATCH ? 'more' : null };
};
