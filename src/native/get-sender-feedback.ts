import type { Operations } from '../../generated/native/operations.gen.ts';
import type { StoreData } from '../db/store-data.ts';
import { countFeedback } from '../domain/messages/feedback/read-counts.ts';
import { readFeedbackSettings } from '../domain/senders/feedback-settings.ts';
import type { SenderTools } from '../domain/senders/tools.ts';
import type { Handler } from '../http/handler.ts';
import { renderSenderFeedback } from './representations/sender-feedback.ts';
import { existingSender, senderId as readId } from './sender-ids.ts';

export function getSenderFeedback(stores: StoreData, tools: SenderTools): Handler<Operations, 'getSenderFeedback'> {
  return async ({ request, caller: { storeId } }) => {
    const senderId = readId(request.path.id);
    const db = stores.of(storeId);
    const settings = existingSender(await readFeedbackSettings(db, storeId, senderId));
    const counts = await countFeedback(db, storeId, senderId);
    return { status: 200, body: renderSenderFeedback({ storeId, senderId }, settings, counts, tools) };
  };
}
