import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { replayDelivery } from '../domain/webhooks/deliveries/replay.ts';
import type { Handler } from '../http/handler.ts';
import { renderDelivery } from './representations/webhook.ts';
import { deliveryId, existingDelivery } from './webhook-ids.ts';

export function replayWebhookDelivery(writing: WithConnection): Handler<Operations, 'replayWebhookDelivery'> {
  return async ({ request, caller: { storeId } }) => {
    const id = deliveryId(request.path.id);
    const replayed = await writing(storeId, (db) => replayDelivery(db, storeId, id));
    return { status: 200, body: renderDelivery(existingDelivery(replayed)), isRepeatable: true };
  };
}
