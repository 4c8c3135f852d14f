import type { Operations } from '../../generated/native/operations.gen.ts';
import { deleteSender as remove } from '../domain/senders/senders.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderSender } from './representations/sender.ts';
import { existingSender, senderId } from './sender-ids.ts';

export function deleteSender(writing: WithConnection): Handler<Operations, 'deleteSender'> {
  return async ({ request, caller: { storeId } }) => {
    const id = senderId(request.path.id);
    const { fail_waiting: failsWaiting = false } = request.query ?? {};
    const deleted = await writing(storeId, (db) => remove(db, storeId, id, { failsWaiting }));
    return { status: 200, body: renderSender(existingSender(deleted)), isRepeatable: true };
  };
}
