import { defineEntity, p } from '@mikro-orm/postgresql';

/** How a store tells its people of itself, and when it is looked at. */
export const NotificationSettingsEntity = defineEntity({
  name: 'NotificationSettings',
  tableName: 'notification_settings',
  properties: {
    storeId: p.uuid().primary(),
    senderId: p.uuid().nullable(),
    endpointId: p.uuid().nullable(),
    checkAt: p.datetime(3),
    /** The Monday up to which it has been reported on. */
    reportedWeek: p.date().nullable(),
    updatedAt: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'notification_settings_due', properties: ['checkAt'] }],
});
