import { defineEntity, p } from '@mikro-orm/postgresql';

/** What is known of a customer's entries into an automation; outlives the runs. */
export const AutomationEnrolmentEntity = defineEntity({
  name: 'AutomationEnrolment',
  tableName: 'automation_enrolment',
  properties: {
    storeId: p.uuid().primary(),
    automationId: p.uuid().primary(),
    profileId: p.uuid().primary(),
    /** `''` for all of the customer's runs. */
    key: p.text().primary(),
    lastStartedAt: p.datetime(3),
    activeRunId: p.uuid().nullable(),
    starts: p.integer(),
  },
});
