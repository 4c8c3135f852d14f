import type { Operations } from '../../generated/native/operations.gen.ts';
import { countFeedback } from '../domain/messages/feedback/read-counts.ts';
import { updateFeedbackSettings } from '../domain/senders/feedback-settings.ts';
import type { SenderTools } from '../domain/senders/tools.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderSenderFeedback } from './representations/sender-feedback.ts';
import { existingSender, senderId as readId } from './sender-ids.ts';

export function updateSenderFeedback(
  writing: WithConnection,
  tools: SenderTools,
): Handler<Operations, 'updateSenderFeedback'> {
  return async ({ request, caller: { storeId } }) => {
    const senderId = readId(request.path.id);
    const { provider, secret, key } = request.body;
    const body = await writing(storeId, async (db) => {
      const input = { provider, secret, key };
      const settings = existingSender(await updateFeedbackSettings(db, storeId, senderId, input, tools.secrets));
      const counts = await countFeedback(db, storeId, senderId);
      return renderSenderFeedback({ storeId, senderId }, settings, counts, tools);
    });
    return { status: 200, body, isRepeatable: true };
  };
}
