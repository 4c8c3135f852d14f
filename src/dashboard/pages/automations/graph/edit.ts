import type { NextStep } from '../../../../client/index.ts';
import type { AutomationDefinition, AutomationStep } from '../../../definitions.ts';
import { exitsOf, withExit } from './exits.ts';
import { isBranching, type Outline, type OutlinedRow, outlineOf } from './outline.ts';

/** Where a step is put: before another, after one with a single way on, or at the way out of one; else at the start. */
export type Place = { before: string } | { after: string; exit: number } | { atStart: true };

/** The definition with a further step, through which those run that came by its place. */
export function inserted(definition: AutomationDefinition, step: AutomationStep, place: Place): AutomationDefinition {
  if ('atStart' in place)
    return { ...definition, start: step.id, steps: [leadingTo(step, definition.start || null), ...definition.steps] };
  if ('before' in place) {
    const { before } = place;
    const led = redirected(definition, before, step.id);
    return withStep(
      led,
      leadingTo(step, before),
      led.steps.findIndex(({ id }) => id === before),
    );
  }
  const at = definition.steps.findIndex(({ id }) => id === place.after);
  const from = definition.steps[at];
  if (!from) return definition;
  const next = exitsOf(from)[place.exit]?.next ?? null;
  const steps = definition.steps.with(at, withExit(from, place.exit, step.id));
  return withStep({ ...definition, steps }, leadingTo(step, next), at + 1);
}

/** The definition without a step: what led to it leads to where it usually went on. */
export function removed(definition: AutomationDefinition, id: string): AutomationDefinition {
  const step = definition.steps.find((one) => one.id === id);
  if (!step) return definition;
  const led = redirected(definition, id, exitsOf(step).at(-1)?.next ?? null);
  return { ...led, steps: led.steps.filter((one) => one.id !== id) };
}

/** The definition with another form of a step, maybe under another id. */
export function replaced(definition: AutomationDefinition, id: string, step: AutomationStep): AutomationDefinition {
  const steps = definition.steps.map((one) => (one.id === id ? step : one));
  return step.id === id ? { ...definition, steps } : redirected({ ...definition, steps }, id, step.id);
}

/** The definition with a step moved among those around it; undefined where it can't be moved so. */
export function moved(
  definition: AutomationDefinition,
  id: string,
  direction: 'up' | 'down',
): AutomationDefinition | undefined {
  const step = definition.steps.find((one) => one.id === id);
  if (!step || isBranching(step) || step.type === 'exit') return undefined;
  const { above, below, afterBelow } = neighboursOf(outlineOf(definition), id) ?? {};
  const without = removed(definition, id);
  if (direction === 'up') return above === undefined ? undefined : inserted(without, step, { before: above });
  const passed = definition.steps.find((one) => one.id === below);
  if (!passed || passed.type === 'exit') return undefined;
  if (!isBranching(passed)) return inserted(without, step, { after: passed.id, exit: 0 });
  return afterBelow === undefined
    ? inserted(without, step, { after: passed.id, exit: exitsOf(passed).length - 1 })
    : inserted(without, step, { before: afterBelow });
}

/** An id that no step has yet. */
export function freeId(definition: AutomationDefinition, wish: string): string {
  const taken = new Set(definition.steps.map(({ id }) => id));
  for (let n = 1; ; n += 1) {
    const id = n === 1 ? wish : `${wish}_${n}`;
    if (!taken.has(id)) return id;
  }
}

/** The steps that may follow one: those from which nothing leads back to it. */
export function possibleNext({ steps }: AutomationDefinition, id: string): string[] {
  const leads = new Map(steps.map((step) => [step.id, exitsOf(step).map(({ next }) => next)]));
  const comesTo = (from: string, seen: Set<string>): boolean => {
    if (from === id) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (leads.get(from) ?? []).some((next) => next !== null && comesTo(next, seen));
  };
  return steps.map((step) => step.id).filter((other) => !comesTo(other, new Set()));
}

function withStep(definition: AutomationDefinition, step: AutomationStep, at: number): AutomationDefinition {
  return { ...definition, steps: definition.steps.toSpliced(at, 0, step) };
}

/** All ways of a step lead to one. */
function leadingTo(step: AutomationStep, next: NextStep): AutomationStep {
  return exitsOf(step).reduce((led, _, exit) => withExit(led, exit, next), step);
}

function redirected(definition: AutomationDefinition, from: string, to: NextStep): AutomationDefinition {
  const steps = definition.steps.map((step) =>
    exitsOf(step).reduce((led, { next }, exit) => (next === from ? withExit(led, exit, to) : led), step),
  );
  return { ...definition, start: definition.start === from ? (to ?? '') : definition.start, steps };
}

interface Neighbours {
  above?: string | undefined;
  below?: string | undefined;
  afterBelow?: string | undefined;
}

/** What stands around a step in the list; above the first of a branch is the step that branches. */
function neighboursOf(outline: Outline, id: string): Neighbours | undefined {
  const search = ({ steps }: Pick<OutlinedRow, 'steps'>, parent: string | undefined): Neighbours | undefined => {
    for (const [n, { step, branches }] of steps.entries()) {
      if (step.id === id) {
        const [above = parent, below, afterBelow] = [
          steps[n - 1]?.step.id,
          steps[n + 1]?.step.id,
          steps[n + 2]?.step.id,
        ];
        return { above, below, afterBelow };
      }
      for (const branch of branches) {
        const found = search(branch, step.id);
        if (found) return found;
      }
    }
    return undefined;
  };
  return search(outline, undefined);
}
