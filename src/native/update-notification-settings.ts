import type { Operations } from '../../generated/native/operations.gen.ts';
import { updateNotificationSettings as update } from '../domain/notifications/settings.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderNotificationSettings } from './representations/notification-settings.ts';

export function updateNotificationSettings(writing: WithConnection): Handler<Operations, 'updateNotificationSettings'> {
  return async ({ request: { body }, caller: { storeId } }) => {
    const given = {
      senderId: body.sender_id?.toLowerCase() ?? null,
      endpointId: body.endpoint_id?.toLowerCase() ?? null,
    };
    const updated = await writing(storeId, (db, shared) => update(db, shared, storeId, given));
    return { status: 200, body: renderNotificationSettings(updated), isRepeatable: true };
  };
}
