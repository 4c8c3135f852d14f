import type { Operations } from '../../generated/native/operations.gen.ts';
import { updateSender as update } from '../domain/senders/senders.ts';
import type { SenderTools } from '../domain/senders/tools.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderSender, toSenderInput } from './representations/sender.ts';
import { existingSender, senderId } from './sender-ids.ts';

export function updateSender(writing: WithConnection, tools: SenderTools): Handler<Operations, 'updateSender'> {
  return async ({ request, caller }) => {
    const { storeId } = caller;
    const id = senderId(request.path.id);
    const input = toSenderInput(request.body, caller);
    const updated = await update(writing, storeId, id, input, tools);
    return { status: 200, body: renderSender(existingSender(updated)), isRepeatable: true };
  };
}
