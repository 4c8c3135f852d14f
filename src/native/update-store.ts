import type { Operations } from '../../generated/native/operations.gen.ts';
import type { Sql } from '../db/sql.ts';
import { rezoneSchedules } from '../domain/automations/plan-schedule.ts';
import { changeOrderSettings } from '../domain/orders/settings.ts';
import { expectMaySetKeySignIn } from '../domain/people/key-sign-in.ts';
import { expectOwner } from '../domain/people/managers.ts';
import { readMessageSettings, setPostalAddress } from '../domain/senders/message-settings.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { changeStoreSettings, expectSettings, readStoreSettings } from '../domain/store-settings.ts';
import { retryConflicts } from '../domain/write/retry-conflicts.ts';
import type { Handler } from '../http/handler.ts';
import { toOrderChanges } from './representations/orders.ts';
import { toStore } from './representations/store.ts';

export function updateStore(writing: WithConnection): Handler<Operations, 'updateStore'> {
  return async ({ request: { body: changes }, caller }) => {
    const { storeId } = caller;
    const { display_name: displayName, time_zone: timeZone, currency, country, website_url: websiteUrl } = changes;
    const { history_days: historyDays, postal_address: address, orders = {} } = changes;
    const { key_sign_in: keySignIn, requires_second_factor: requiresSecondFactor } = changes;
    const given = {
      ...{ displayName, timeZone, currency, country, websiteUrl, historyDays },
      ...{ keySignIn, requiresSecondFactor },
    };
    // What is refused changes nothing else.
    expectSettings(given);
    const body = await writing(storeId, async (db, shared) => {
      if (keySignIn !== undefined) await expectMaySetKeySignIn(shared, caller, keySignIn);
      const before = await readStoreSettings(shared, storeId);
      if ((requiresSecondFactor ?? before.requiresSecondFactor) !== before.requiresSecondFactor) {
        await expectOwner(shared, storeId, caller, 'Only an owner may change whether people need a second factor');
      }
      const ofOrders = await changeOrderSettings(db, storeId, toOrderChanges(orders));
      const change = async (tx: Sql, sharedTx: Sql) => {
        const settings = await changeStoreSettings(sharedTx, storeId, given);
        if (timeZone !== undefined) await rezoneSchedules(tx, storeId, settings.timeZone);
        if (address !== undefined) await setPostalAddress(tx, storeId, address);
        return toStore(settings, (await readMessageSettings(tx, storeId)).postalAddress, ofOrders);
      };
      // All or nothing; only where stores are in another database, their settings come first.
      return await retryConflicts(db, () => db.transaction().execute((tx) => change(tx, db === shared ? tx : shared)));
    });
    return { status: 200, body, isRepeatable: true };
  };
}
