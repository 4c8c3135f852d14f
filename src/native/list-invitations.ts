import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { listInvitations as list } from '../domain/people/invitations.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderInvitation } from './representations/person.ts';

export function listInvitations(stores: StoreData): Handler<Operations, 'listInvitations'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    const { items, next } = await list(stores.shared, storeId, toPageRequest(query));
    return { status: 200, body: { invitations: items.map(renderInvitation), next_cursor: next } };
  };
}
