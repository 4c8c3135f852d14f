import { checkCondition } from '../../conditions/check.ts';
import { type FormerCondition, inTodaysForm, placeInFormer } from '../../conditions/former.ts';
import { Report } from '../../conditions/report.ts';
import { leavesOf, type Path } from '../../conditions/tree.ts';
import { MAX_SPAN_MS } from '../../conditions/windows.ts';
import type { Violation } from '../../service-error.ts';

const MAX_CONDITIONS = 50;
const LIMITS = {
  leaves: MAX_CONDITIONS,
  leavesOfFilter: 10,
  depth: 5,
  list: 100,
  takesEmptyTexts: true,
  duration: MAX_SPAN_MS,
  history: MAX_SPAN_MS,
};

/**
 * Returns what is wrong with a definition, or a filter of events, beyond its shape, which the contract has checked. Paths begin
 * at its root.
 */
export function problemsOf(given: FormerCondition, scope: 'segment' | 'event' = 'segment'): Violation[] {
  const report = new Report(LIMITS);
  const most = scope === 'segment' ? LIMITS.leaves : LIMITS.leavesOfFilter;
  for (const problem of inTexts(given, [])) report.add(problem.path, problem.problem);
  // What follows need not cope with more than that.
  if (report.violations.length > 0) return report.violations;
  const definition = inTodaysForm(given);
  const leaves = [...leavesOf(definition)];
  if (leaves.length > most) report.add([], `has more than ${most} conditions`);
  const isTooDeep = leaves.some(({ depth }) => depth > LIMITS.depth);
  if (isTooDeep) report.add([], `is nested deeper than ${LIMITS.depth} levels`);
  else checkCondition(definition, [], scope, report);
  return report.violations.map(({ path, problem }) => ({ path: placeInFormer(given, path), problem }));
}

/** Texts that Postgres can't compare with: no stored value has them either. */
export function* inTexts(value: unknown, path: Path): Generator<Violation> {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      yield { path, problem: 'contains a NUL character or a lone surrogate' };
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      yield* inTexts(part, [...path, Array.isArray(value) ? Number(key) : key]);
    }
  }
}
