import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { favouritesOf } from '../domain/catalog/activity/favourites.ts';
import { sumUpOrders } from '../domain/orders/customer-orders.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import type { Handler } from '../http/handler.ts';
import { existingProfile } from './get-profile.ts';
import { renderRevenue } from './representations/orders.ts';

export function getProfileOrderSummary(stores: StoreData): Handler<Operations, 'getProfileOrderSummary'> {
  return async ({ request: { path }, caller }) => {
    const { storeId, scopes } = caller;
    const sql = stores.of(storeId);
    const { id } = await existingProfile(sql, caller, path.id);
    const { currency } = await readStoreSettings(stores.shared, storeId);
    const orders = await sumUpOrders(sql, storeId, id, currency);
    const favourites = scopes.has('catalog:read') ? await favouritesOf(sql, storeId, id) : undefined;
    const body = {
      first_placed_at: orders.firstPlacedAt?.toISOString() ?? null,
      last_placed_at: orders.lastPlacedAt?.toISOString() ?? null,
      revenue: renderRevenue(orders.revenue),
      is_complete: orders.isComplete,
      is_cut: orders.isCut,
      ...(favourites && {
        favourite_items: favourites.map(({ id: item_id, title, imageUrl, orders: order_count, lastOrderedAt }) => ({
          ...{ item_id, title, image_url: imageUrl, order_count, last_ordered_at: lastOrderedAt.toISOString() },
        })),
      }),
    };
    return { status: 200, body };
  };
}
