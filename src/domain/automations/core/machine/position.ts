import type { Definition } from '../definition/definition.ts';
import type { Next, Step } from '../definition/steps.ts';
import type { Run } from './run.ts';
import type { Decision } from './timeline.ts';
import type { Work } from './work.ts';

export function currentStep(work: Work, run: Run): Step {
  const step = work.versionOf(run).definition.steps.find(({ id }) => id === run.stepId);
  if (!step) throw new TypeError(`Version ${run.version} of the automation has no step ${run.stepId}`);
  return step;
}

/** Records a decision that leads to a step, which is due at once; or to the end. `since` as below. */
export function goTo(
  work: Work,
  run: Run,
  next: Next,
  decision: Decision,
  change: Partial<Run> = {},
  since?: number,
): Run {
  return arrive(work, work.record(run, decision, change), next, since);
}

/**
 * Moves a run to a step by what has been recorded already. `since`: when the event was that led there; what led to the step
 * before, where that one took no time.
 */
export function arrive(work: Work, run: Run, next: Next, since = reachedWithEvent(run)): Run {
  if (next === null) return work.end({ ...run, attempts: 0, waiting: null }, 'completed');
  const waiting = waitingAt(work.versionOf(run).definition, since);
  return work.place({ ...run, stepId: next, dueAt: work.now, waiting, attempts: 0 });
}

/** What a run notes of when a step was reached with an event: nothing where no step asks for that. */
export function waitingAt({ steps }: Definition, since: number | undefined): Run['waiting'] {
  const isAskedFor = steps.some((step) => step.type === 'wait' && step.since === 'step');
  return since === undefined || !isAskedFor ? null : { for: 'step', since };
}

/** When the event was that led to the step of a run; undefined if time did, or the step has taken some. */
export function reachedWithEvent({ waiting }: Run): number | undefined {
  return waiting?.for === 'step' ? waiting.since : undefined;
}
