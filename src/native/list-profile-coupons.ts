import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listCodesOfProfile } from '../domain/coupons/codes/codes.ts';
import type { Handler } from '../http/handler.ts';
import { existingProfile } from './get-profile.ts';
import { toPageRequest } from './query.ts';
import { renderCode } from './representations/coupon.ts';

export function listProfileCoupons(stores: StoreData): Handler<Operations, 'listProfileCoupons'> {
  return async ({ request: { path, query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { id } = await existingProfile(sql, caller, path.id);
    const { items, next } = await listCodesOfProfile(sql, caller.storeId, id, toPageRequest(query));
    return { status: 200, body: { codes: items.map(renderCode), next_cursor: next } };
  };
}
