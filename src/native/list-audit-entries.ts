import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { readAuditEntries } from '../domain/audit/read-entries.ts';
import { KeyNames } from '../domain/reading/key-names.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest, toTimeRange } from './query.ts';
import { renderAuditEntries } from './representations/audit-entry.ts';

export function listAuditEntries(stores: StoreData): Handler<Operations, 'listAuditEntries'> {
  const names = new KeyNames(stores.shared);
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const filter = { actorId: query.actor_id, operation: query.operation, ...toTimeRange(query) };
    const { items, next } = await readAuditEntries(stores.of(storeId), storeId, filter, toPageRequest(query));
    return { status: 200, body: { entries: await renderAuditEntries(names, storeId, items), next_cursor: next } };
  };
}
