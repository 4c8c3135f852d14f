import type { Operations } from '../../generated/native/operations.gen.ts';
import { checkSender as check } from '../domain/senders/check-sender.ts';
import type { SenderTools } from '../domain/senders/tools.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderSender } from './representations/sender.ts';
import { existingSender, senderId } from './sender-ids.ts';

export function checkSender(writing: WithConnection, tools: SenderTools): Handler<Operations, 'checkSender'> {
  return async ({ request, caller: { storeId }, deadline }) => {
    const id = senderId(request.path.id);
    const checked = await check(writing, storeId, id, tools, (work) => deadline.except(work));
    return { status: 200, body: renderSender(existingSender(checked)) };
  };
}
