import type { MessageSettings as SettingsBody } from '../../../generated/native/types.gen.ts';
import type { MessageSettings } from '../../domain/senders/message-settings.ts';

export function renderMessageSettings(settings: MessageSettings): SettingsBody {
  return {
    postal_address: settings.postalAddress,
    default_sender_id: settings.defaultSenderId,
    default_sms_sender_id: settings.defaultSmsSenderId,
    caps: settings.caps && { most: settings.caps.most, within: settings.caps.within },
    smart_sending: settings.smartSending,
    tracking: {
      opens: settings.tracking.opens,
      clicks: settings.tracking.clicks,
      transactional: settings.tracking.transactional,
      sent: settings.tracking.sent,
      delivered: settings.tracking.delivered,
    },
    attribution: {
      conversion_types: [...settings.attribution.conversionTypes],
      refund_types: [...settings.attribution.refundTypes],
      click_window: settings.attribution.clickWindow,
      open_window: settings.attribution.openWindow,
    },
    updated_at: settings.updatedAt?.toISOString() ?? null,
  };
}
