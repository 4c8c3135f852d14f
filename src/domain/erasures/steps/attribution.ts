import { sql } from 'kysely';
import { NOBODY } from '../../../ids/nobody.ts';
import { BATCH, byProfile, type Step } from '../../sweeps/step.ts';
import type { Erasing } from '../erasure.ts';

/** Orders go with their events; or stay as nobody's, without the number of the order, and still earn what they earned. */
export const sweepAttribution: Step<Erasing> = async (tx, erasing, after, tools) => {
  if (erasing.events === 'delete') return await deleteOrders(tx, erasing, after, tools);
  const { storeId, profileId } = erasing;
  const { rows } = await sql`
    update attribution set profile_id = ${NOBODY}::uuid, order_id = null
    where store_id = ${storeId} and ctid = any(array(
      select ctid from attribution where store_id = ${storeId} and profile_id = ${profileId} limit ${BATCH}))
    returning 1`.execute(tx);
  return { counts: { attribution: rows.length }, next: rows.length === BATCH ? 'more' : null };
};

const deleteOrders = byProfile('attribution');
