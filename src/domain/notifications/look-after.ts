import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { StoreData } from '../../db/store-data.ts';
import { isHeld } from '../automations/hold.ts';
import { readStoreSettings, shownName } from '../store-settings.ts';
import type { LookedAt } from './looked-at.ts';
import { findRecipients } from './recipients.ts';
import type { NotificationInput } from './settings.ts';
import { tellAttention } from './tell-attention.ts';
import { reportWeek } from './weekly-report.ts';

/** Seconds after which a store is looked at again. */
const EVERY_S = 60;
/** Stores that are taken at once: of several processes, each takes others. */
const MOST = 20;

/** Looks at the stores whose turn it is; one that can't be looked at is looked at again a minute later, and the last failure thrown. */
export async function lookAfterStores(stores: StoreData, base: string): Promise<void> {
  let failure: { error: unknown } | undefined;
  for (const storeId of await takeDue(stores.shared)) {
    await lookAfter(stores, storeId, base).catch((error) => {
      failure = { error };
    });
  }
  if (failure) throw failure.error;
}

async function takeDue(shared: Sql): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    update notification_settings set check_at = now() + make_interval(secs => ${EVERY_S})
    where store_id in (
      select store_id from notification_settings where check_at <= now() order by check_at limit ${MOST}
      for update skip locked
    )
    returning store_id as "storeId"`.execute(shared);
  return rows.map(({ storeId }) => storeId);
}

/** A store whose week can't be summed up is told what needs attention nevertheless. */
async function lookAfter(stores: StoreData, storeId: string, base: string): Promise<void> {
  // A restored copy, and a store that is paused, tell nobody anything until they go on.
  if (await isHeld(stores.of(storeId), storeId)) return;
  const outcomes = [];
  for (const tell of [tellAttention, reportWeek]) {
    outcomes.push(...(await Promise.allSettled([tellOnce(stores, storeId, base, tell)])));
  }
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Writes what its people are to be told, with what has been told, in one transaction. */
async function tellOnce(stores: StoreData, storeId: string, base: string, tell: typeof tellAttention): Promise<void> {
  await stores.shared.transaction().execute(async (tx) => {
    const { rows } = await sql<NotificationInput>`
      select sender_id as "senderId", endpoint_id as "endpointId" from notification_settings
      where store_id = ${storeId} for update skip locked`.execute(tx);
    const [settings] = rows;
    if (!settings) return;
    const store = await readStoreSettings(tx, storeId);
    const looked: LookedAt = {
      ...settings,
      ...{ storeId, storeName: shownName(store), zone: store.timeZone ?? 'UTC', currency: store.currency, base },
      recipients: await findRecipients(tx, storeId),
    };
    await tell(tx, stores.of(storeId), looked);
  });
}
