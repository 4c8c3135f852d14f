import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { DataTask } from '../../engine/periodic.ts';
import { NOBODY } from '../../ids/nobody.ts';
import { type Caller, SCOPES } from '../caller.ts';
import { readStoreSettings } from '../store-settings.ts';
import { refreshRfm } from './rfm.ts';

/** Hours after which what could not be refreshed is tried again. */
const AGAIN_HOURS = 6;

/** Makes the definitions of stores anew whose last ones are a month old. `shared` is where the stores are. */
export function refreshingOfRfm(shared: Sql): DataTask {
  return {
    failure: 'RFM segments not refreshed',
    everyMs: 2_000,
    rows: 'rfm_segment',
    forMs: 30_000,
    async run(db, until) {
      while (performance.now() < until) {
        const storeId = await takeDue(db);
        if (storeId === undefined) return;
        const { country, currency } = await readStoreSettings(shared, storeId);
        await refreshRfm(db, serviceOf(storeId, country), { currency, isRefresh: true });
      }
    },
  };
}

/** Of several processes, one takes a store. */
async function takeDue(db: Sql): Promise<string | undefined> {
  const { rows } = await sql<{ storeId: string }>`
    update rfm_segment set due_at = now() + make_interval(hours => ${AGAIN_HOURS})
    where (store_id, kind) in (
      select store_id, kind from rfm_segment where due_at <= now() order by due_at limit 1 for update skip locked
    )
    returning store_id as "storeId"`.execute(db);
  return rows[0]?.storeId;
}

/** The service itself: what it changes nobody has asked for. */
function serviceOf(storeId: string, country: Caller['country']): Caller {
  return {
    ...{ storeId, country, keepsHistory: false, windowId: NOBODY, tier: 'standard', expiresAt: null },
    actor: { kind: 'key', id: NOBODY },
    scopes: new Set(SCOPES),
  };
}
