import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** Why something that could have started a run has not. */
export const AutomationSkipEntity = defineEntity({
  name: 'AutomationSkip',
  tableName: 'automation_skip',
  properties: {
    storeId: p.uuid().primary(),
    automationId: p.uuid().primary(),
    triggerId: p.text().primary(),
    profileId: p.uuid(),
    reason: p.text(),
    detail: p.type(RawJsonType).columnType('jsonb'),
    skippedAt: p.datetime(3),
  },
  indexes: [
    { name: 'automation_skip_of_profile', properties: ['storeId', 'automationId', 'profileId', 'skippedAt'] },
    { name: 'automation_skip_time', properties: ['storeId', 'skippedAt'] },
  ],
});
