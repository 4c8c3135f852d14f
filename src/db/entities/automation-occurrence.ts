import { defineEntity, p } from '@mikro-orm/postgresql';

const OCCURRENCE_STATUSES = ['planned', 'under_way', 'done', 'late', 'paused', 'stopped', 'no_members_known'] as const;

/** A day of an automation's schedule: the next one, or one that has come. */
export const AutomationOccurrenceEntity = defineEntity({
  name: 'AutomationOccurrence',
  tableName: 'automation_occurrence',
  indexes: [
    {
      name: 'automation_occurrence_open',
      expression:
        "create index automation_occurrence_open on automation_occurrence (store_id, automation_id, due_at) where status in ('planned', 'under_way')",
    },
    {
      name: 'automation_occurrence_ended',
      expression:
        'create index automation_occurrence_ended on automation_occurrence (store_id, ended_at) where ended_at is not null',
    },
  ],
  properties: {
    storeId: p.uuid().primary(),
    automationId: p.uuid().primary(),
    day: p.date().primary(),
    dueAt: p.datetime(3),
    version: p.integer(),
    timeZone: p.text(),
    status: p.enum([...OCCURRENCE_STATUSES]),
    audienceKind: p.enum(['list', 'segment']),
    audienceId: p.uuid(),
    /** The last member who has been looked at, and how many have been. */
    afterProfileId: p.uuid(),
    members: p.integer().default(0),
    beganAt: p.datetime(3).strictNullable(),
    endedAt: p.datetime(3).strictNullable(),
  },
});
