import type { Operations } from '../../generated/native/operations.gen.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import { replayDeliveries } from '../domain/webhooks/deliveries/replay.ts';
import type { Handler } from '../http/handler.ts';
import { toTimeRange } from './query.ts';
import { endpointId, existingEndpoint } from './webhook-ids.ts';

export function replayWebhookDeliveries(writing: WithConnection): Handler<Operations, 'replayWebhookDeliveries'> {
  return async ({ request, caller: { storeId } }) => {
    const chosen = { status: request.body.status, ...toTimeRange(request.body) };
    const id = endpointId(request.path.id);
    const replay = await writing(storeId, (db) => replayDeliveries(db, storeId, id, chosen));
    const { replayed, isMore } = existingEndpoint(replay);
    return { status: 200, body: { replayed, is_more: isMore }, isRepeatable: true };
  };
}
