import type { Definition } from '../definition/definition.ts';
import type { Run } from './run.ts';
import type { Work } from './work.ts';

/**
 * Brings a run up to what has been published since its version: it stays, moves to a version that has its step, or
 * ends. Returns it if it is active still. A run that moves keeps the date that it waits for.
 */
export function bringUpToDate(work: Work, run: Run): Run | undefined {
  const { automation } = work.context;
  if (automation.status === 'archived') {
    work.end(run, 'archived');
    return undefined;
  }
  let target = run.version;
  const later = [...automation.versions.values()]
    .filter(({ number }) => number > run.version && number <= (automation.version ?? 0))
    .sort((one, other) => one.number - other.number);
  for (const { number, inFlight, definition } of later) {
    if (inFlight === 'exit') {
      work.end(run, 'version_replaced');
      return undefined;
    }
    if (inFlight === 'move' && hasStep(definition, run, work.versionOf(run).definition)) target = number;
  }
  if (target === run.version) return run;
  return work.record(run, { outcome: 'moved', from: run.version, to: target }, { version: target, seenAt: null });
}

/** A step of another type with the same id is another step. */
function hasStep(definition: Definition, { stepId }: Run, current: Definition): boolean {
  return typeOf(definition, stepId) !== undefined && typeOf(definition, stepId) === typeOf(current, stepId);
}

function typeOf({ steps }: Definition, id: string): string | undefined {
  return steps.find((step) => step.id === id)?.type;
}
