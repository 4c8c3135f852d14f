import type { Operations } from '../../generated/native/operations.gen.ts';
import { rezoneSchedules } from '../domain/automations/plan-schedule.ts';
import { changeOrderSettings } from '../domain/orders/settings.ts';
import { readMessageSettings, setPostalAddress } from '../domain/senders/message-settings.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { changeStoreSettings, expectSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';
import { toOrderChanges } from './representations/orders.ts';
import { toStore } from './representations/store.ts';

export function updateStore(writing: WithConnection): Handler<Operations, 'updateStore'> {
  return async ({ request: { body: changes }, caller: { storeId } }) => {
    const { display_name: displayName, time_zone: timeZone, currency, country, website_url: websiteUrl } = changes;
    const { history_days: historyDays, orders = {} } = changes;
    const given = { displayName, timeZone, currency, country, websiteUrl, historyDays };
    // What is refused changes nothing else.
    expectSettings(given);
    const body = await writing(storeId, async (db, shared) => {
      const ofOrders = await changeOrderSettings(db, storeId, toOrderChanges(orders));
      const settings = await changeStoreSettings(shared, storeId, given);
      if (timeZone !== undefined) await rezoneSchedules(db, storeId, settings.timeZone);
      const { postal_address: address } = changes;
      if (address !== undefined) await setPostalAddress(db, storeId, address);
      return toStore(settings, (await readMessageSettings(db, storeId)).postalAddress, ofOrders);
    });
    return { status: 200, body, isRepeatable: true };
  };
}
