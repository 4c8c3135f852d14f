import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readHistory } from '../domain/profile-history/read-history.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import type { Handler } from '../http/handler.ts';
import { existingProfile } from './get-profile.ts';
import { toPageRequest } from './query.ts';
import { renderHistoryEntry } from './representations/history.ts';

export function listProfileHistory(stores: StoreData): Handler<Operations, 'listProfileHistory'> {
  const names = new KeyNames(stores.shared);
  return async ({ request: { path, query = {} }, caller }) => {
    const sql = stores.of(caller.storeId);
    const { id } = await existingProfile(sql, caller, path.id);
    const { items, next } = await readHistory(sql, caller.storeId, id, toPageRequest(query));
    const actors = items.flatMap(({ origin }) => origin.actor ?? []);
    const named = await names.of(caller.storeId, actors);
    return { status: 200, body: { changes: items.map((item) => renderHistoryEntry(item, named)), next_cursor: next } };
  };
}
