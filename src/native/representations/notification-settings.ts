import type { NotificationSettings as SettingsBody } from '../../../generated/native/types.gen.ts';
import type { NotificationSettings } from '../../domain/notifications/settings.ts';

export function renderNotificationSettings(settings: NotificationSettings): SettingsBody {
  return {
    sender_id: settings.senderId,
    endpoint_id: settings.endpointId,
    problem: settings.problem,
    recipients: settings.recipients.map(({ personId, name, email, attention, weeklyReport }) => ({
      ...{ person_id: personId, name, email, attention, weekly_report: weeklyReport },
    })),
    recent: settings.recent.map(({ personId, endpointId, createdAt, finishedAt, ...one }) => ({
      ...one,
      person_id: personId,
      endpoint_id: endpointId,
      created_at: createdAt.toISOString(),
      finished_at: finishedAt?.toISOString() ?? null,
    })),
    updated_at: settings.updatedAt?.toISOString() ?? null,
  };
}
