import type { Operations } from '../../generated/native/operations.gen.ts';
import { testSender as test } from '../domain/messages/test-sender.ts';
import type { SenderTools } from '../domain/senders/tools.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderTest } from './representations/sender.ts';
import { existingSender, senderId } from './sender-ids.ts';

export function testSender(writing: WithConnection, tools: SenderTools): Handler<Operations, 'testSender'> {
  return async ({ request, caller: { storeId }, deadline }) => {
    const id = senderId(request.path.id);
    const tested = await test(writing, storeId, id, { to: request.body.to }, tools, (work) => deadline.except(work));
    return { status: 200, body: renderTest(existingSender(tested)) };
  };
}
