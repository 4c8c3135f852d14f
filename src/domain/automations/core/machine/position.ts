import type { Next, Step } from '../definition/steps.ts';
import type { Run } from './run.ts';
import type { Decision } from './timeline.ts';
import type { Work } from './work.ts';

export function currentStep(work: Work, run: Run): Step {
  const step = work.versionOf(run).definition.steps.find(({ id }) => id === run.stepId);
  if (!step) throw new TypeError(`Version ${run.version} of the automation has no step ${run.stepId}`);
  return step;
}

/** Records a decision that leads to a step, which is due at once; or to the end. */
export function goTo(work: Work, run: Run, next: Next, decision: Decision, change: Partial<Run> = {}): Run {
  return arrive(work, work.record(run, decision, change), next);
}

/** Moves a run to a step by what has been recorded already. */
export function arrive(work: Work, run: Run, next: Next): Run {
  if (next === null) return work.end({ ...run, attempts: 0, waiting: null }, 'completed');
  return work.place({ ...run, stepId: next, dueAt: work.now, waiting: null, attempts: 0 });
}
