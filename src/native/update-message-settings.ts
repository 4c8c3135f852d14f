import type { Operations } from '../../generated/native/operations.gen.ts';
import { updateMessageSettings as update } from '../domain/senders/message-settings.ts';
import type { WithConnection } from '../domain/store-connections.ts';
import type { Handler } from '../http/handler.ts';
import { renderMessageSettings } from './representations/message-settings.ts';

export function updateMessageSettings(writing: WithConnection): Handler<Operations, 'updateMessageSettings'> {
  return async ({ request: { body }, caller: { storeId } }) => {
    const settings = {
      postalAddress: body.postal_address,
      defaultSenderId: body.default_sender_id?.toLowerCase() ?? null,
      defaultSmsSenderId: body.default_sms_sender_id?.toLowerCase() ?? null,
      caps: body.caps,
      smartSending: body.smart_sending,
      tracking: {
        opens: body.tracking.opens,
        clicks: body.tracking.clicks,
        transactional: body.tracking.transactional,
        sent: body.tracking.sent,
        delivered: body.tracking.delivered,
      },
      attribution: {
        conversionTypes: body.attribution.conversion_types,
        refundTypes: body.attribution.refund_types,
        clickWindow: body.attribution.click_window,
        openWindow: body.attribution.open_window,
      },
    };
    const updated = await writing(storeId, (db) => update(db, storeId, settings));
    return { status: 200, body: renderMessageSettings(updated), isRepeatable: true };
  };
}
