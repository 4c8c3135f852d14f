import type { Violation } from '../../../service-error.ts';
import type { Condition } from '../definition/condition.ts';
import type { Definition } from '../definition/definition.ts';
import { exitsOf, type Step } from '../definition/steps.ts';

/** Words that say, in the name of an event, that something is to be written to the customer: `cart_reminder_due`. */
const OF_MESSAGES = new Set([
  ...['due', 'message', 'messages', 'newsletter', 'notification', 'notify', 'remind', 'reminder', 'send', 'sent'],
  ...['mail', 'mails', 'email', 'emails', 'mailing', 'sms', 'mms', 'push', 'whatsapp', 'campaign', 'offer', 'invite'],
  ...['invitation', 'winback', 'followup', 'nudge'],
]);

/**
 * Returns the steps by which messages go to customers who have opted out of everything, as nothing asks for their
 * consent: the entry condition, a branch after the last wait, or `exit_when`, which is looked at before each action.
 * Drafts may be half finished, or lead in circles.
 */
export function messagesWithoutConsent(definition: Definition): Violation[] {
  const { entry_condition, exit_when, start, steps } = definition;
  if (exit_when && afterOptOut(exit_when) === true) return [];
  const byId = new Map(steps.map((step, i) => [step.id, { step, i }]));
  const found = new Set<number>();
  const seen = new Set<string>();
  const follow = (id: string | null, hasOptedOut: boolean): void => {
    const at = id === null ? undefined : byId.get(id);
    if (!at || seen.has(`${hasOptedOut} ${id}`)) return;
    seen.add(`${hasOptedOut} ${id}`);
    const { step, i } = at;
    if (hasOptedOut && sendsMessage(step)) found.add(i);
    for (const next of waysOn(step, hasOptedOut)) {
      follow(next, hasOptedOut);
      if (takesTime(step)) follow(next, true);
    }
  };
  follow(start, false);
  if (!entry_condition || afterOptOut(entry_condition) !== false) follow(start, true);
  return [...found].sort((a, b) => a - b).map((i) => ({ path: ['steps', i], problem: PROBLEM }));
}

const PROBLEM =
  'may send a message to customers who have opted out: ask for their consent in entry_condition and exit_when; ' +
  'what a customer has caused, such as a receipt, needs none';

/** Whether a step sends something by itself, or records an event whose name says that a message is due. */
function sendsMessage(step: Step): boolean {
  if (step.type === 'send_webhook') return true;
  if (step.type !== 'emit_event') return false;
  const words = step.event_type.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').toLowerCase();
  const all = words.split(/[^\p{L}]+/u);
  // Two of them may be one: `follow_up`, `win_back`.
  return all.some((word, i) => OF_MESSAGES.has(word) || OF_MESSAGES.has(`${word}${all[i + 1] ?? ''}`));
}

/** Whether the customer may opt out while a run is at a step. */
function takesTime(step: Step): boolean {
  return step.type === 'delay' || step.type === 'wait' || (step.type === 'send_webhook' && step.await === true);
}

/** Where a run may go on, of a customer who has opted out or of any other. */
function waysOn(step: Step, hasOptedOut: boolean): (string | null)[] {
  if (step.type !== 'branch' || !hasOptedOut) return exitsOf(step).map(({ next }) => next);
  const ways: (string | null)[] = [];
  for (const { when, next } of step.cases) {
    const holds = afterOptOut(when);
    if (holds !== false) ways.push(next);
    if (holds === true) return ways;
  }
  return [...ways, step.else];
}

/** Whether a condition holds for somebody who has opted out of every channel; undefined if other things decide. */
function afterOptOut(condition: Condition): boolean | undefined {
  if ('not' in condition) {
    const holds = afterOptOut(condition.not);
    return holds === undefined ? undefined : !holds;
  }
  if ('all' in condition) return decided(condition.all, false);
  if ('any' in condition) return decided(condition.any, true);
  if (!('consent' in condition) || condition.consent.status === 'suppressed') return undefined;
  return condition.consent.status === 'unsubscribed';
}

/** What parts come to, of which one that is `deciding` decides. */
function decided(parts: readonly Condition[], deciding: boolean): boolean | undefined {
  const held = parts.map(afterOptOut);
  if (held.includes(deciding)) return deciding;
  return held.length === 0 || held.includes(undefined) ? undefined : !deciding;
}
