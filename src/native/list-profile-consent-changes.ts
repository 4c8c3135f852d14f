import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readConsentHistory } from '../domain/consent/read-consents.ts';
import type { Handler } from '../http/handler.ts';
import { existingProfile } from './get-profile.ts';
import { toPageRequest } from './query.ts';
import { renderConsentChange } from './representations/consent.ts';

export function listProfileConsentChanges(stores: StoreData): Handler<Operations, 'listProfileConsentChanges'> {
  return async ({ request: { path, query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { id } = await existingProfile(sql, caller, path.id);
    const { items, next } = await readConsentHistory(sql, caller.storeId, id, toPageRequest(query));
    return { status: 200, body: { changes: items.map(renderConsentChange), next_cursor: next } };
  };
}
