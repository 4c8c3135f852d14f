import type { StoreSettings as Shown } from '../../../generated/native/types.gen.ts';
import type { OrderSettings } from '../../domain/orders/settings.ts';
import type { StoreSettings } from '../../domain/store-settings.ts';
import { renderOrderSettings } from './orders.ts';

export function toStore(settings: StoreSettings, postalAddress: string | null, orders: OrderSettings): Shown {
  const { id, name, displayName, timeZone, currency, country, websiteUrl, historyDays } = settings;
  return {
    ...{ id, name, display_name: displayName, time_zone: timeZone, currency, country },
    ...{ website_url: websiteUrl, postal_address: postalAddress, history_days: historyDays },
    ...{ key_sign_in: settings.keySignIn, requires_second_factor: settings.requiresSecondFactor },
    orders: renderOrderSettings(orders),
  };
}
