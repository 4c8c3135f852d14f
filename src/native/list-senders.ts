import type { Operations } from '../../generated/native/operations.gen.ts';
import { listSenders as list } from '../domain/senders/find-senders.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { toPageRequest } from './query.ts';
import { renderSender } from './representations/sender.ts';

export function listSenders(writing: WithConnection): Handler<Operations, 'listSenders'> {
  return async ({ request: { query = {} }, caller: { storeId } }) => {
    // Not from a replica: the first time, the outbox is made.
    const filter = { isDeleted: query.deleted };
    const { items, next } = await writing(storeId, (db) => list(db, storeId, filter, toPageRequest(query)));
    return { status: 200, body: { senders: items.map(renderSender), next_cursor: next } };
  };
}
