import { defineEntity, p } from '@mikro-orm/postgresql';
import { RawJsonType } from './raw-json-type.ts';

/** One passage of a customer through an automation. */
export const AutomationRunEntity = defineEntity({
  name: 'AutomationRun',
  tableName: 'automation_run',
  properties: {
    storeId: p.uuid().primary(),
    id: p.uuid().primary(),
    automationId: p.uuid(),
    version: p.integer(),
    profileId: p.uuid(),
    key: p.text().nullable(),
    enrolmentKey: p.text().nullable(),
    triggerId: p.text(),
    /** What triggered it: an `Origin`. */
    origin: p.type(RawJsonType).columnType('jsonb'),
    /** What it needs of the event later: a `Captured`. */
    captured: p.type(RawJsonType).columnType('jsonb'),
    depth: p.integer(),
    status: p.enum(['active', 'ended', 'failed']),
    stepId: p.text(),
    /** Grows with each entry of its timeline. */
    seq: p.integer(),
    /** When it goes on; null while something else decides that. */
    dueAt: p.datetime(3).nullable(),
    /** What it waits for within its step: a `Waiting`. */
    waiting: p.type(RawJsonType).columnType('jsonb').nullable(),
    /** What it was given, for its later steps: a `RunCoupon`. */
    coupon: p.type(RawJsonType).columnType('jsonb').nullable(),
    /** What came of its steps, for later ones, by their ids: `StepResults`. */
    results: p.type(RawJsonType).columnType('jsonb').nullable(),
    /** Events that it has used. */
    consumed: p.array().columnType('uuid[]'),
    attempts: p.integer(),
    startedAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    reason: p.text().nullable(),
    /** When it was looked at what had been stored before that may end it; null if that is still to be done. */
    seenAt: p.datetime(3).nullable(),
    /** When it has reached the goal of its version. */
    goalAt: p.datetime(3).strictNullable(),
  },
  uniques: [{ name: 'automation_run_trigger', properties: ['storeId', 'automationId', 'triggerId'] }],
  indexes: [
    { name: 'automation_run_of', properties: ['storeId', 'automationId', 'id'] },
    { name: 'automation_run_of_profile', properties: ['storeId', 'profileId', 'id'] },
    { name: 'automation_run_due', properties: ['storeId', 'automationId', 'dueAt'], where: "status = 'active'" },
    { name: 'automation_run_active', properties: ['storeId', 'profileId', 'automationId'], where: "status = 'active'" },
    { name: 'automation_run_at', properties: ['storeId', 'automationId', 'stepId', 'id'], where: "status <> 'ended'" },
    { name: 'automation_run_failed', properties: ['storeId', 'automationId', 'id'], where: "status = 'failed'" },
    { name: 'automation_run_failed_at', properties: ['storeId', 'endedAt'], where: "status = 'failed'" },
    { name: 'automation_run_ended', properties: ['storeId', 'endedAt'], where: "status <> 'active'" },
  ],
});
