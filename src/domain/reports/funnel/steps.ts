import type { Condition } from '../../conditions/condition.ts';
import { type FormerCondition, inTodaysForm } from '../../conditions/former.ts';
import { Report } from '../../conditions/report.ts';
import { inTexts, problemsOf } from '../../segments/core/check.ts';
import { invalidAll } from '../../service-error.ts';
import { DAY, durationMs } from '../../time/duration.ts';

/** Milliseconds. */
const MAX_WINDOW = 30 * DAY;
const LIMITS = { leaves: 0, depth: 0, list: 0, duration: MAX_WINDOW, history: MAX_WINDOW };

/** Something that customers do. */
export interface FunnelStep {
  eventType: string;
  /** Of the properties of the event. */
  where?: Condition;
  /** Whether events count, too, that pages and apps sent with a public key. */
  fromClient: boolean;
}

export interface FunnelSteps {
  steps: readonly FunnelStep[];
  /** Milliseconds after the first step at most. */
  window: number;
  /** Of the first event. */
  breakdown: string | undefined;
}

/** As it was given, of the shape that the contract has checked. */
export interface GivenFunnel {
  steps: readonly { eventType: string; where?: FormerCondition; fromClient: boolean }[];
  /** A duration. */
  window: string;
  breakdown: string | undefined;
}

/** Throws `validation_error` with all that is wrong with a funnel. */
export function readFunnel({ steps, window, breakdown }: GivenFunnel): FunnelSteps {
  const report = new Report(LIMITS);
  report.duration(['window'], window);
  const texts = { steps: steps.map(({ eventType }) => ({ event_type: eventType })), breakdown };
  const violations = [...report.violations, ...inTexts(texts, [])];
  for (const [i, { where }] of steps.entries()) {
    const problems = where ? problemsOf(where, 'event') : [];
    violations.push(...problems.map(({ path, problem }) => ({ path: ['steps', i, 'where', ...path], problem })));
  }
  if (violations.length > 0) throw invalidAll(violations);
  return {
    steps: steps.map(({ where, ...step }) => ({ ...step, ...(where && { where: inTodaysForm(where) }) })),
    window: durationMs(window),
    breakdown,
  };
}
