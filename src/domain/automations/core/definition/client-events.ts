import { withEventsAsked } from '../../../conditions/asked.ts';
import type { Condition } from '../../../conditions/condition.ts';
import type { Definition } from './definition.ts';
import type { Step } from './steps.ts';

/**
 * The same definition, with events of public keys wherever it leaves that open: so it was meant before it could be said.
 * By default they are left out.
 */
export function takingClientEvents(definition: Definition): Definition {
  const { trigger, entry_condition, exit_on, goal, exit_when, steps } = definition;
  const takes = trigger.type === 'event' || trigger.type === 'profile_change';
  return {
    ...definition,
    trigger: takes ? open(trigger) : trigger,
    ...(entry_condition && { entry_condition: inCondition(entry_condition) }),
    ...(exit_on && { exit_on: exit_on.map(open) }),
    ...(goal && { goal: open(goal) }),
    ...(exit_when && { exit_when: inCondition(exit_when) }),
    steps: steps.map(inStep),
  };
}

function open<Named extends { from_client?: boolean }>(named: Named): Named {
  return { from_client: true, ...named };
}

function inStep(step: Step): Step {
  if (step.type === 'wait') return { ...step, for: step.for.map((one) => ('event_type' in one ? open(one) : one)) };
  if (step.type !== 'branch') return step;
  return { ...step, cases: step.cases.map((one) => ({ ...one, when: inCondition(one.when) })) };
}

function inCondition(condition: Condition): Condition {
  if ('all' in condition) return { all: condition.all.map(inCondition) };
  if ('any' in condition) return { any: condition.any.map(inCondition) };
  if ('not' in condition) return { not: inCondition(condition.not) };
  return withEventsAsked(condition, open);
}
