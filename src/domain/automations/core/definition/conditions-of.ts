import type { Condition } from '../../../conditions/condition.ts';
import { inTodaysForm } from '../../../conditions/former.ts';
import type { Scope } from '../../../conditions/scope.ts';
import type { Path } from '../../../conditions/tree.ts';
import type { Definition } from './definition.ts';
import type { EventMatch } from './event-match.ts';

export interface PlacedCondition {
  condition: Condition;
  path: Path;
  scope: Scope;
}

/** All conditions of a definition, but for the filters within `did`. */
export function conditionsOf(definition: Definition): PlacedCondition[] {
  const { trigger, entry_condition, exit_when, steps } = definition;
  const found: PlacedCondition[] = matchesOf(definition).flatMap(({ match, path }) =>
    match.filter ? [{ condition: match.filter, path: [...path, 'filter'], scope: 'event' }] : [],
  );
  if (trigger.type === 'event' && trigger.filter) {
    found.push({ condition: trigger.filter, path: ['trigger', 'filter'], scope: 'event' });
  }
  if (entry_condition) found.push({ condition: entry_condition, path: ['entry_condition'], scope: 'all' });
  if (exit_when) found.push({ condition: exit_when, path: ['exit_when'], scope: 'profile and history' });
  for (const [i, step] of steps.entries()) {
    if (step.type === 'branch') {
      for (const [k, { when }] of step.cases.entries()) {
        found.push({ condition: when, path: ['steps', i, 'cases', k, 'when'], scope: 'all' });
      }
    }
    if (step.type === 'wait') {
      for (const [k, one] of step.for.entries()) {
        if ('when' in one) found.push({ condition: one.when, path: ['steps', i, 'for', k, 'when'], scope: 'profile' });
      }
    }
  }
  return found;
}

/** The events that waits and exits of a definition look for, and its goal. */
export function matchesOf({ exit_on = [], goal, steps }: Definition): { match: EventMatch; path: Path }[] {
  const found: { match: EventMatch; path: Path }[] = exit_on.map((match, i) => ({ match, path: ['exit_on', i] }));
  if (goal) found.push({ match: goal, path: ['goal'] });
  for (const [i, step] of steps.entries()) {
    if (step.type !== 'wait') continue;
    for (const [k, one] of step.for.entries()) {
      if ('event_type' in one) found.push({ match: one, path: ['steps', i, 'for', k] });
    }
  }
  return found;
}

/** Returns a definition with its conditions in today's form, of which some may have been given in a former one. */
export function withTodaysConditions(definition: Definition): Definition {
  return conditionsOf(definition).reduce(
    (changed, { condition, path }) => withPart(changed, path, inTodaysForm(condition)),
    definition,
  );
}

function withPart<Whole>(whole: Whole, [key, ...rest]: Path, part: unknown): Whole {
  if (key === undefined) return part as Whole;
  const copy = (Array.isArray(whole) ? [...whole] : { ...whole }) as Record<string | number, unknown>;
  copy[key] = withPart(copy[key], rest, part);
  return copy as Whole;
}
