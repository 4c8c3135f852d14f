import type { Path } from '../../../conditions/tree.ts';
import { leavesOf } from '../../../conditions/tree.ts';
import { conditionsOf } from '../definition/conditions-of.ts';
import type { Definition } from '../definition/definition.ts';
import { referencePath, referencesOf } from '../definition/references.ts';
import { exitsOf, type Step } from '../definition/steps.ts';
import type { DefinitionReport } from './limits.ts';

const EVENT_FIELDS = ['id', 'event_type', 'occurred_at'];
const FORM =
  'must name what came of a step before it: steps.<id>.answer.…, steps.<id>.status or steps.<id>.event.properties.…';

/** Checks what is read of earlier steps: that they are there, that they bring it, and that they come first. */
export function checkResults(definition: Definition, report: DefinitionReport): void {
  const { steps } = definition;
  for (const [i, step] of steps.entries()) {
    for (const { path, at } of referencesOf(step)) {
      if (path[0] === 'steps') checkResult(path, i, steps, ['steps', i, ...at], report);
    }
  }
  for (const { condition, path: base } of conditionsOf(definition)) {
    for (const { leaf, path } of leavesOf(condition, base)) {
      if (!('from' in leaf)) continue;
      const [root, i] = path;
      const at = [...path, 'from'];
      if (root === 'steps' && typeof i === 'number') checkResult(referencePath(leaf), i, steps, at, report);
      else report.add(at, 'is not allowed here: no step has been taken yet');
    }
  }
}

function checkResult(
  path: readonly string[],
  i: number,
  steps: readonly Step[],
  at: Path,
  report: DefinitionReport,
): void {
  const [root, id, field = '', ...rest] = path;
  const step = steps.find((one) => one.id === id);
  if (root !== 'steps' || id === undefined || path.includes('')) report.add(at, FORM);
  else if (!step) report.add(at, `must name a step that there is, and ${id} is none`);
  else if (!brings(step, field, rest)) report.add(at, whatItBrings(step));
  else if (!leadsTo(step, (steps[i] as Step).id, steps))
    report.add(at, `must name a step before it, and ${id} does not lead to it`);
}

function brings(step: Step, field: string, rest: readonly string[]): boolean {
  if (step.type === 'call_webhook' && step.await !== false) {
    return field === 'answer' || (field === 'status' && rest.length === 0);
  }
  if (step.type !== 'wait' || field !== 'event') return false;
  const [name = '', ...below] = rest;
  return name === 'properties' ? below.length > 0 : EVENT_FIELDS.includes(name) && below.length === 0;
}

function whatItBrings(step: Step): string {
  if (step.type === 'wait') {
    return `must be event.properties.…, event.id, event.event_type or event.occurred_at of ${step.id}, which waits`;
  }
  if (step.type !== 'call_webhook') return `must name a step call_webhook or wait, and ${step.id} is ${step.type}`;
  if (step.await === false) return `must name a step that waits for its answer, and ${step.id} does not`;
  return `must be answer.… or status of ${step.id}`;
}

/** Whether a run may come from one step to another. */
function leadsTo(from: Step, id: string, steps: readonly Step[]): boolean {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const seen = new Set<string>();
  const open = exitsOf(from).flatMap(({ next }) => next ?? []);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next === id) return true;
    const step = byId.get(next);
    if (!step || seen.has(next)) continue;
    seen.add(next);
    open.push(...exitsOf(step).flatMap((exit) => exit.next ?? []));
  }
  return false;
}
