import type { Condition } from '../../../conditions/condition.ts';
import type { Violation } from '../../../service-error.ts';
import type { Definition } from '../definition/definition.ts';
import { exitsOf, isMessageStep, type Step } from '../definition/steps.ts';

/** Words that say, in the name of an event, that something is to be written to the customer: `cart_reminder_due`. */
const OF_MESSAGES = new Set([
  ...['due', 'message', 'messages', 'newsletter', 'notification', 'notify', 'remind', 'reminder', 'send', 'sent'],
  ...['mail', 'mails', 'email', 'emails', 'mailing', 'sms', 'mms', 'push', 'whatsapp', 'campaign', 'offer', 'invite'],
  ...['invitation', 'winback', 'followup', 'nudge'],
]);

/** Somebody who is to get no messages, through whichever channel, and of whom nothing else is known. */
type Unwilling = 'opted out' | 'suppressed';

/**
 * Returns the steps by which messages go to customers who have opted out of everything, or who are suppressed whatever they
 * have chosen, as nothing asks for that: the entry condition, a branch after the last wait, or `exit_when`, which is looked
 * at before each action. Drafts may be half finished, or lead in circles.
 */
export function messagesWithoutConsent(definition: Definition): Violation[] {
  const optedOut = messagesTo('opted out', definition);
  const suppressed = messagesTo('suppressed', definition).difference(optedOut);
  const found = [
    ...Array.from(optedOut, (i) => ({ i, problem: TO_OPTED_OUT })),
    ...Array.from(suppressed, (i) => ({ i, problem: TO_SUPPRESSED })),
  ];
  return found.sort((a, b) => a.i - b.i).map(({ i, problem }) => ({ path: ['steps', i], problem }));
}

const TO_OPTED_OUT =
  'may send a message to customers who have opted out: ask for their consent in entry_condition and exit_when; ' +
  'what a customer has caused, such as a receipt, needs none';
const TO_SUPPRESSED =
  'may send a message to customers who are suppressed, whatever they have chosen: leave them out in entry_condition, ' +
  'and let exit_when hold for them, by the consent status suppressed';

/** The indices of the steps by which messages go to such customers, also where they became so during a run. */
function messagesTo(unwilling: Unwilling, { entry_condition, exit_when, start, steps }: Definition): Set<number> {
  const found = new Set<number>();
  if (exit_when && holdsFor(unwilling, exit_when) === true) return found;
  const byId = new Map(steps.map((step, i) => [step.id, { step, i }]));
  const seen = new Set<string>();
  const follow = (id: string | null, isUnwilling: boolean): void => {
    const at = id === null ? undefined : byId.get(id);
    if (!at || seen.has(`${isUnwilling} ${id}`)) return;
    seen.add(`${isUnwilling} ${id}`);
    const { step, i } = at;
    if (isUnwilling && sendsMessage(step)) found.add(i);
    for (const next of isUnwilling ? waysOnFor(unwilling, step) : exitsOf(step).map(({ next }) => next)) {
      follow(next, isUnwilling);
      if (takesTime(step)) follow(next, true);
    }
  };
  follow(start, false);
  if (!entry_condition || holdsFor(unwilling, entry_condition) !== false) follow(start, true);
  return found;
}

/**
 * Whether a step sends something by itself, or records an event whose name says that a message is due. Of messages of
 * the service's own, consent is asked whenever one is sent.
 */
function sendsMessage(step: Step): boolean {
  if (step.type === 'send_webhook') return true;
  if (step.type === 'call_webhook') return step.method !== 'GET';
  if (step.type !== 'emit_event') return false;
  const words = step.event_type.replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').toLowerCase();
  const all = words.split(/[^\p{L}]+/u);
  // Two of them may be one: `follow_up`, `win_back`.
  return all.some((word, i) => OF_MESSAGES.has(word) || OF_MESSAGES.has(`${word}${all[i + 1] ?? ''}`));
}

/** Whether the customer may opt out, or be suppressed, while a run is at a step. */
function takesTime(step: Step): boolean {
  if (step.type === 'call_webhook') return step.await !== false;
  if (step.type === 'send_webhook' || isMessageStep(step)) return Boolean(step.await);
  return step.type === 'delay' || step.type === 'wait';
}

/** Where a run of such a customer may go on. */
function waysOnFor(unwilling: Unwilling, step: Step): (string | null)[] {
  if (step.type !== 'branch') return exitsOf(step).map(({ next }) => next);
  const ways: (string | null)[] = [];
  for (const { when, next } of step.cases) {
    const holds = holdsFor(unwilling, when);
    if (holds !== false) ways.push(next);
    if (holds === true) return ways;
  }
  return [...ways, step.else];
}

/** Whether a condition holds for such a customer; undefined if other things decide. */
function holdsFor(unwilling: Unwilling, condition: Condition): boolean | undefined {
  if ('not' in condition) {
    const holds = holdsFor(unwilling, condition.not);
    return holds === undefined ? undefined : !holds;
  }
  if ('all' in condition) return decided(unwilling, condition.all, false);
  if ('any' in condition) return decided(unwilling, condition.any, true);
  if (!('consent' in condition)) return undefined;
  const { status } = condition.consent;
  if (unwilling === 'suppressed') return status === 'suppressed' ? true : undefined;
  return status === 'suppressed' ? undefined : status === 'unsubscribed';
}

/** What parts come to, of which one that is `deciding` decides. */
function decided(unwilling: Unwilling, parts: readonly Condition[], deciding: boolean): boolean | undefined {
  const held = parts.map((part) => holdsFor(unwilling, part));
  if (held.includes(deciding)) return deciding;
  return held.length === 0 || held.includes(undefined) ? undefined : !deciding;
}
