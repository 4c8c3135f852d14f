import type { Operations } from '../../generated/native/operations.gen.ts';
import { parseTime } from '../domain/event-time.ts';
import type { Once } from '../domain/kept-answers.ts';
import type { Message } from '../domain/messages/core/message.ts';
import { messageQueues } from '../domain/messages/core/queue.ts';
import { sendMessage as queueMessage } from '../domain/messages/send-message.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { performOnce } from './once.ts';
import { toIdentifiers } from './representations/event.ts';
import { renderMessage } from './representations/message.ts';

export function sendMessage(writing: WithConnection): Handler<Operations, 'sendMessage'> {
  const queues = messageQueues();
  return async ({ request, caller }) => {
    const { body } = request;
    const sending = {
      templateId: body.template_id.toLowerCase(),
      templateVersion: body.template_version,
      identifiers: toIdentifiers(body.profile, caller),
      senderId: body.sender_id?.toLowerCase(),
      eventId: body.event_id?.toLowerCase(),
      data: body.data ?? {},
      sendAt: body.send_at === undefined ? undefined : parseTime(body.send_at),
      expiresAt: body.expires_at === undefined ? undefined : parseTime(body.expires_at),
    };
    return await performOnce(
      caller,
      { operation: 'sendMessage', key: body.idempotency_key, request },
      {
        perform: (once: Once<Message>) =>
          writing(caller.storeId, (db) => queueMessage(db, caller, sending, queues, once)),
        answer: (message) => ({ status: 201 as const, body: renderMessage(message) }),
      },
    );
  };
}
