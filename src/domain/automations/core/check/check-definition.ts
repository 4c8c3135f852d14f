import { checkId } from '../../../conditions/check.ts';
import { checkComparison } from '../../../conditions/check-comparison.ts';
import { checkName } from '../../../conditions/check-name.ts';
import { Report } from '../../../conditions/report.ts';
import type { Path } from '../../../conditions/tree.ts';
import { problemOfUnstorable } from '../../../lossless-json.ts';
import type { Violation } from '../../../service-error.ts';
import { isTimeZone } from '../../../time/local.ts';
import { matchesOf } from '../definition/conditions-of.ts';
import type { Definition } from '../definition/definition.ts';
import type { StepType } from '../definition/steps.ts';
import { checkComputations } from './computations.ts';
import { checkConditions } from './conditions.ts';
import { checkGraph } from './graph.ts';
import { type DefinitionReport, LIMITS, type Limits } from './limits.ts';
import { checkReferences } from './references.ts';
import { checkResults } from './results.ts';
import { checkSchedule } from './schedule.ts';
import { checkSteps } from './steps.ts';

interface Options {
  limits?: Partial<Limits>;
  /** The types of step that the service offers; by default all. */
  stepTypes?: ReadonlySet<StepType>;
}

const STEP_TYPES: ReadonlySet<StepType> = new Set<StepType>([
  'delay',
  'wait',
  'branch',
  'split',
  'set_profile',
  'emit_event',
  'send_webhook',
  'call_webhook',
  'send_email',
  'send_sms',
  'assign_coupon',
  'add_to_list',
  'remove_from_list',
  'subscribe',
  'unsubscribe',
  'exit',
]);

/** Returns all that is wrong with a definition which is of the right shape already; nothing if it can be published. */
export function checkDefinition(definition: Definition, options?: Options): Violation[] {
  return reportOn(definition, options).violations;
}

/** Returns what is wrong with it though it need not be finished. */
export function malformedParts(definition: Definition): Violation[] {
  return reportOn(definition).malformed;
}

function reportOn(definition: Definition, { limits, stepTypes = STEP_TYPES }: Options = {}): DefinitionReport {
  const report = new Report({ ...LIMITS, ...limits });
  checkStorable(definition, [], report);
  // What follows need not cope with more than that.
  if (report.violations.length > 0) return report;
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  if (bytes > report.limits.bytes) report.add([], `is larger than ${report.limits.bytes / 1024} KB`);
  checkTrigger(definition, report);
  checkKey(definition, report);
  checkTimes(definition, report);
  if (definition.goal) report.duration(['goal', 'within'], definition.goal.within, report.limits.goal);
  checkSteps(definition, stepTypes, report);
  checkConditions(definition, report);
  checkReferences(definition, report);
  checkComputations(definition, report);
  checkResults(definition, report);
  if (definition.steps.length > 0) checkGraph(definition, report);
  return report;
}

/** The whole is small, as the body of a request is; a value that can't be stored is a symbol in its place. */
function checkStorable(value: unknown, path: Path, report: DefinitionReport): void {
  const problem = problemOfUnstorable(value);
  if (problem !== undefined) report.add(path, problem);
  if (typeof value !== 'object' || value === null) return;
  const isList = Array.isArray(value);
  for (const [key, item] of Object.entries(value)) checkStorable(item, [...path, isList ? Number(key) : key], report);
}

function checkTrigger({ trigger }: Definition, report: DefinitionReport): void {
  if (trigger.type === 'event' && trigger.max_age !== undefined) {
    report.duration(['trigger', 'max_age'], trigger.max_age, report.limits.maxAge);
  }
  if (trigger.type === 'profile_change') {
    if (trigger.from) checkComparison(trigger.from, ['trigger', 'from'], report);
    if (trigger.to) checkComparison(trigger.to, ['trigger', 'to'], report);
  }
  if (trigger.type === 'segment_entry' || trigger.type === 'segment_exit') {
    checkId(trigger.segment, ['trigger', 'segment'], report);
  }
  if (trigger.type === 'list_joined' || trigger.type === 'list_left')
    checkId(trigger.list, ['trigger', 'list'], report);
  if (trigger.type === 'date') {
    if (trigger.offset !== undefined) report.offset(['trigger', 'offset'], trigger.offset);
    report.timeOfDay(['trigger', 'at'], trigger.at);
  }
  if (trigger.type === 'schedule') checkSchedule(trigger, report);
}

function checkKey(definition: Definition, report: DefinitionReport): void {
  const { trigger, key, reentry } = definition;
  if (key) checkName(key.property, ['key', 'property'], report);
  if (key && trigger.type !== 'event' && trigger.type !== 'manual') {
    report.add(['key'], 'must be absent: nothing that triggers this automation has properties');
  }
  if (reentry?.per === 'key' && !key) report.add(['reentry', 'per'], 'must be profile, as the automation has no key');
  if (reentry?.min_interval) report.duration(['reentry', 'min_interval'], reentry.min_interval);
  for (const { match, path } of matchesOf(definition)) {
    if (!match.match_key) continue;
    checkName(match.match_key.property, [...path, 'match_key', 'property'], report);
    if (!key) report.add([...path, 'match_key'], 'must be absent, as the automation has no key');
  }
}

function checkTimes({ time_zone, quiet_hours }: Definition, report: DefinitionReport): void {
  if (time_zone && !isTimeZone(time_zone.default)) {
    report.add(['time_zone', 'default'], 'must be the name of a time zone, such as Europe/Berlin');
  }
  if (!quiet_hours) return;
  report.timeOfDay(['quiet_hours', 'from'], quiet_hours.from);
  report.timeOfDay(['quiet_hours', 'to'], quiet_hours.to);
  if (quiet_hours.from === quiet_hours.to) report.add(['quiet_hours', 'to'], 'must differ from the beginning');
}
