import { DAY, durationMs, parseDuration } from '../../../time/duration.ts';
import type { Definition } from '../definition/definition.ts';
import { exitsOf, type Step } from '../definition/steps.ts';
import { LONGEST_WAIT } from '../machine/steps/assign-coupon.ts';
import type { DefinitionReport } from './limits.ts';

/** A delay until a weekday takes up to a week, and a clock that is put back longer. */
const LONGEST_UNTIL = 8 * DAY;

/** Checks that the steps lead to one another and to the end: each is reached, and none again. */
export function checkGraph({ start, steps }: Definition, report: DefinitionReport): void {
  const indexes = new Map<string, number>();
  for (const [i, { id }] of steps.entries()) {
    const first = indexes.get(id);
    if (first === undefined) indexes.set(id, i);
    else report.add(['steps', i, 'id'], `is also the id of steps[${first}]`);
  }
  if (!indexes.has(start)) report.add(['start'], 'is not the id of a step');
  for (const [i, step] of steps.entries()) {
    for (const { path, next } of exitsOf(step)) {
      if (next !== null && !indexes.has(next)) report.add(['steps', i, ...path], 'is not the id of a step');
    }
  }
  if (!indexes.has(start) || indexes.size < steps.length) return;
  const order = orderOf(steps, indexes, start, report);
  for (const [i] of steps.entries()) {
    if (!order.includes(i)) report.add(['steps', i], 'is never reached');
  }
  checkLength(steps, indexes, order, report);
}

/** The steps that are reached, each after all that it leads to. Reports where a step leads back to one before. */
function orderOf(
  steps: readonly Step[],
  indexes: ReadonlyMap<string, number>,
  start: string,
  report: DefinitionReport,
): number[] {
  const done = new Set<number>();
  const under = new Set<number>();
  const visit = (i: number) => {
    under.add(i);
    for (const { path, next } of exitsOf(steps[i] as Step)) {
      const target = next === null ? undefined : indexes.get(next);
      if (target === undefined || done.has(target)) continue;
      if (under.has(target)) report.add(['steps', i, ...path], 'leads back to a step before it');
      else visit(target);
    }
    under.delete(i);
    done.add(i);
  };
  visit(indexes.get(start) as number);
  return [...done];
}

function checkLength(
  steps: readonly Step[],
  indexes: ReadonlyMap<string, number>,
  order: readonly number[],
  report: DefinitionReport,
): void {
  const longest = new Map<number, number>();
  for (const i of order) {
    const step = steps[i] as Step;
    const after = exitsOf(step).map(({ next }) => (next === null ? 0 : (longest.get(indexes.get(next) ?? -1) ?? 0)));
    longest.set(i, longestStay(step) + Math.max(0, ...after));
  }
  const total = longest.get(order.at(-1) as number) ?? 0;
  if (total <= report.limits.duration) return;
  const days = Math.ceil(total / DAY);
  report.add(['steps'], `take up to ${days} days in all, and may take ${report.limits.duration / DAY}`);
}

function longestStay(step: Step): number {
  if (step.type === 'wait') return msOf(step.timeout);
  if (step.type === 'assign_coupon') return step.on_empty === undefined || step.on_empty === 'wait' ? LONGEST_WAIT : 0;
  if (step.type !== 'delay') return 0;
  // Until when a date lies is not known before: each is waited for no longer than a run may take.
  if (step.until_date) return 0;
  return step.for === undefined ? LONGEST_UNTIL : msOf(step.for);
}

/** What is not a duration is reported where it stands. */
function msOf(text: string): number {
  return parseDuration(text) ? durationMs(text) : 0;
}
