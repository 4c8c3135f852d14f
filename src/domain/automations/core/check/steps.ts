import { checkId } from '../../../conditions/check.ts';
import type { Path } from '../../../conditions/tree.ts';
import { type Definition, hasProperties } from '../definition/definition.ts';
import { MESSAGE_EVENTS } from '../definition/event-match.ts';
import { referencePath } from '../definition/references.ts';
import {
  type DelayStep,
  itemCases,
  type MessageStep,
  type Reference,
  type SendingStep,
  type SetProfileStep,
  type SplitStep,
  type Step,
  type StepType,
  type UntilDate,
  type WaitStep,
} from '../definition/steps.ts';
import { checkCall } from './calls.ts';
import { isPrice, NO_PRICE } from './catalog-trigger.ts';
import type { DefinitionReport } from './limits.ts';

/** Checks each step by itself. */
export function checkSteps(
  { trigger, steps }: Definition,
  allowed: ReadonlySet<StepType>,
  report: DefinitionReport,
): void {
  if (steps.length === 0) report.add(['steps'], 'must not be empty');
  if (steps.length > report.limits.steps) report.add(['steps'], `must be at most ${report.limits.steps}`);
  for (const [i, step] of steps.entries()) {
    if (!allowed.has(step.type)) report.add(['steps', i, 'type'], 'is not available');
    checkStep(step, ['steps', i], report);
    if (step.type === 'wait') checkMessages(step, steps, ['steps', i], report);
    if (step.type === 'wait') checkItems(step, trigger, ['steps', i], report);
    const included = step.type === 'send_webhook' ? (step.include ?? []) : [];
    if (included.includes('event') && trigger.type !== 'event') {
      report.add(['steps', i, 'include'], 'must not have event: none triggers this automation');
    }
    if (included.includes('items') && !hasProperties(trigger)) {
      report.add(['steps', i, 'include'], 'must not have items: no event triggers this automation');
    }
  }
}

function checkStep(step: Step, path: Path, report: DefinitionReport): void {
  switch (step.type) {
    case 'delay':
      checkDelay(step, path, report);
      break;
    case 'wait':
      checkWait(step, path, report);
      break;
    case 'branch':
      if (step.cases.length === 0) report.add([...path, 'cases'], 'must not be empty');
      break;
    case 'split':
      checkSplit(step, path, report);
      break;
    case 'set_profile':
      checkSetProfile(step, path, report);
      break;
    case 'send_webhook':
      checkExpiry(step, path, report);
      break;
    case 'call_webhook':
      checkExpiry(step, path, report);
      checkCall(step, path, report);
      break;
    case 'send_email':
    case 'send_sms':
      checkMessage(step, path, report);
      break;
    case 'assign_coupon':
      checkId(step.pool_id, [...path, 'pool_id'], report);
      break;
    case 'add_to_list':
    case 'remove_from_list':
    case 'subscribe':
    case 'unsubscribe':
      if (step.list !== undefined) checkId(step.list, [...path, 'list'], report);
      break;
  }
}

function checkExpiry({ expires_after }: SendingStep, path: Path, report: DefinitionReport): void {
  if (expires_after !== undefined) report.duration([...path, 'expires_after'], expires_after);
}

function checkMessage(step: MessageStep, path: Path, report: DefinitionReport): void {
  checkId(step.template_id, [...path, 'template_id'], report);
  if (step.sender_id !== undefined) checkId(step.sender_id, [...path, 'sender_id'], report);
  checkExpiry(step, path, report);
}

function checkDelay({ for: duration, until, until_date }: DelayStep, path: Path, report: DefinitionReport): void {
  if ([duration, until, until_date].filter((one) => one !== undefined).length !== 1) {
    report.add(path, 'needs one of for, until, until_date');
  }
  if (until_date) checkUntilDate(until_date, [...path, 'until_date'], report);
  if (duration !== undefined) report.duration([...path, 'for'], duration);
  if (until === undefined) return;
  report.timeOfDay([...path, 'until', 'at'], until.at);
  if (until.weekdays?.length === 0) report.add([...path, 'until', 'weekdays'], 'must not be empty');
}

function checkUntilDate({ date, offset, at, if_past, on_past }: UntilDate, path: Path, report: DefinitionReport): void {
  const from = referencePath(date);
  const isKnown = from[0] === 'steps' || ['event.occurred_at', 'coupon.expires_at'].includes(from.join('.'));
  if (!isKnown && !isDatum(from)) {
    const places =
      'event.properties.…, event.occurred_at, profile.attributes.…, coupon.expires_at, steps.<id>.answer.… or ' +
      'steps.<id>.event.…';
    report.add([...path, 'date', 'from'], `must be one of ${places}`);
  }
  if (offset !== undefined) report.offset([...path, 'offset'], offset);
  if (at !== undefined) report.timeOfDay([...path, 'at'], at);
  if (if_past === 'skip' && on_past === undefined) report.add([...path, 'on_past'], 'is needed with skip');
  if (if_past !== 'skip' && on_past !== undefined) report.add([...path, 'on_past'], 'is allowed only with skip');
}

function checkWait({ for: cases, timeout }: WaitStep, path: Path, report: DefinitionReport): void {
  if (cases.length === 0) report.add([...path, 'for'], 'must not be empty');
  report.duration([...path, 'timeout'], timeout);
}

/** Which item it is, and what of it is waited for. */
function checkItems(step: WaitStep, trigger: Definition['trigger'], path: Path, report: DefinitionReport): void {
  for (const { index, asked } of itemCases(step)) {
    const at = [...path, 'for', index];
    const { catalog, item, below, currency } = asked;
    if (!item && trigger.type !== 'catalog') {
      report.add([...at, 'item'], 'is needed: no item of the catalog triggers this automation');
    }
    if (item) checkItemReference(item, [...at, 'item', 'from'], report);
    if (catalog === 'back_in_stock') {
      for (const [name, value] of Object.entries({ below, currency })) {
        if (value !== undefined) report.add([...at, name], 'is for price_drop alone');
      }
      continue;
    }
    for (const [name, value] of Object.entries({ below, currency })) {
      if (value === undefined) report.add([...at, name], 'is needed with price_drop');
    }
    if (below !== undefined && !isPrice(below)) report.add([...at, 'below'], NO_PRICE);
  }
}

function checkItemReference(item: Reference, at: Path, report: DefinitionReport): void {
  if (!isDatum(referencePath(item))) report.add(at, 'must be event.properties.… or profile.attributes.…');
}

/** Whether a path leads to a property of the event or an attribute of the profile. */
function isDatum([source, field, ...names]: readonly string[]): boolean {
  const isOfData = source === 'event' ? field === 'properties' : source === 'profile' && field === 'attributes';
  return isOfData && names.length > 0 && !names.includes('');
}

/** What is waited for of a message has to be of one that the automation sends. */
function checkMessages({ for: cases }: WaitStep, steps: readonly Step[], path: Path, report: DefinitionReport): void {
  for (const [i, one] of cases.entries()) {
    if (!('event_type' in one) || one.of_step === undefined) continue;
    const at = [...path, 'for', i, 'of_step'];
    const sends = steps.some(({ id, type }) => id === one.of_step && type === 'send_email');
    if (!sends) report.add(at, 'is not the id of a step that sends an e-mail');
    if (!MESSAGE_EVENTS.includes(one.event_type)) report.add(at, `is for ${MESSAGE_EVENTS.join(' and ')} alone`);
  }
}

function checkSplit({ weights }: SplitStep, path: Path, report: DefinitionReport): void {
  for (const [i, { percent }] of weights.entries()) {
    if (!(percent >= 0 && percent <= 100)) report.add([...path, 'weights', i, 'percent'], 'must be from 0 to 100');
  }
  const sum = weights.reduce((total, { percent }) => total + percent, 0);
  // Of tenths and hundredths, doubles have no exact sum.
  if (!(Math.abs(sum - 100) < 1e-6)) report.add([...path, 'weights'], `must add up to 100, not ${sum}`);
}

function checkSetProfile({ set = {}, unset = [] }: SetProfileStep, path: Path, report: DefinitionReport): void {
  if (Object.keys(set).length + unset.length === 0) report.add(path, 'needs at least one of set, unset');
  for (const [i, name] of unset.entries()) {
    if (Object.hasOwn(set, name)) report.add([...path, 'unset', i], 'is also in set');
  }
}
