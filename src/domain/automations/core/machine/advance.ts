import { HistoryTooLong } from '../../../conditions/facts-needed.ts';
import { fail } from './failure.ts';
import { currentStep } from './position.ts';
import type { Run } from './run.ts';
import { lookAtExits } from './steps/before-action.ts';
import { takeStep } from './steps/take-step.ts';
import { TooLarge } from './templates.ts';
import { bringUpToDate } from './versions.ts';
import type { Work } from './work.ts';

/** Takes the steps of a run that is due, until it waits or has ended. A paused automation takes none. */
export function advance(work: Work, found: Run): void {
  if (found.status !== 'active') return;
  let run = bringUpToDate(work, found);
  if (!run || !isRunning(work) || !isDue(work, run)) return;
  run = settleOverdue(work, run);
  while (isDue(work, run)) run = takeOrFail(work, run);
}

function isRunning({ context: { automation } }: Work): boolean {
  return automation.status === 'live' || automation.status === 'draining';
}

function isDue({ now }: Work, { status, dueAt }: Run): boolean {
  return status === 'active' && dueAt !== null && dueAt <= now;
}

function takeOrFail(work: Work, run: Run): Run {
  try {
    const seen = lookAtExits(work, run);
    return seen.status === 'active' ? takeStep(work, seen, currentStep(work, seen)) : seen;
  } catch (error) {
    if (error instanceof HistoryTooLong) return fail(work, run, 'history_too_long');
    if (error instanceof TooLarge) return fail(work, run, 'too_large');
    throw error;
  }
}

/** What was due before the automation was resumed ends, or is spread over a while, each run at its place in it. */
function settleOverdue(work: Work, run: Run): Run {
  const { resumed } = work.context.automation;
  if (!resumed || (run.dueAt ?? 0) >= resumed.at) return run;
  if (resumed.overdue === 'exit') return work.end(run, 'overdue');
  const until = resumed.at + Math.floor((work.context.draw(run.id, 'resumed') / 100) * resumed.spreadMs);
  if (until <= work.now) return run;
  return work.record(run, { outcome: 'postponed', until }, { dueAt: until });
}
