import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readNotificationSettings } from '../domain/notifications/settings.ts';
import type { Handler } from '../http/handler.ts';
import { renderNotificationSettings } from './representations/notification-settings.ts';

export function getNotificationSettings(stores: StoreData): Handler<Operations, 'getNotificationSettings'> {
  return async ({ caller: { storeId } }) => {
    const settings = await readNotificationSettings(stores.of(storeId), stores.shared, storeId);
    return { status: 200, body: renderNotificationSettings(settings) };
  };
}
