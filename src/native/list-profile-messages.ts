import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listMessages } from '../domain/messages/read.ts';
import type { Handler } from '../http/handler.ts';
import { existingProfile } from './get-profile.ts';
import { toPageRequest, toTimeRange } from './query.ts';
import { renderMessage } from './representations/message.ts';

export function listProfileMessages(stores: StoreData): Handler<Operations, 'listProfileMessages'> {
  return async ({ request: { path, query = {} }, caller }) => {
    const db = stores.of(caller.storeId);
    const { id: profileId } = await existingProfile(db, caller, path.id);
    const filter = { profileId, status: query.status, ...toTimeRange(query) };
    const { items, next } = await listMessages(db, caller.storeId, filter, toPageRequest(query));
    return { status: 200, body: { messages: items.map(renderMessage), next_cursor: next } };
  };
}
