import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** An entry of a run's timeline. */
export const AutomationStepEntity = defineEntity({
  name: 'AutomationStep',
  tableName: 'automation_step',
  properties: {
    storeId: p.uuid().primary(),
    runId: p.uuid().primary(),
    seq: p.integer().primary(),
    stepId: p.text(),
    at: p.datetime(3),
    outcome: p.text(),
    /** What else was decided, and why. */
    detail: p.type(RawJsonType).columnType('jsonb'),
  },
});
