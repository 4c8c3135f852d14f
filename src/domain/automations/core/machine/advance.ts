import { HistoryTooLong } from '../../../conditions/facts-needed.ts';
import type { CustomerEvent } from '../../../conditions/subject.ts';
import { HOUR, MINUTE } from '../../../time/duration.ts';
import { itemCases, type Step } from '../definition/steps.ts';
import { currentStep } from './position.ts';
import type { Run } from './run.ts';
import { StepFailed } from './step-failed.ts';
import { lookAtExits } from './steps/before-action.ts';
import { takeStep } from './steps/take-step.ts';
import { TooLarge } from './templates.ts';
import { bringUpToDate } from './versions.ts';
import type { Work } from './work.ts';

/**
 * Takes the steps of a run that is due, until it waits or has ended, or has changed lists or consent: then it is due still, as
 * the next step may ask for what has come of that. A paused automation takes none.
 */
export function advance(work: Work, found: Run): void {
  if (found.status !== 'active') return;
  let run = bringUpToDate(work, found);
  if (!run || !isRunning(work) || !isDue(work, run)) return;
  run = settleOverdue(work, run);
  while (isDue(work, run) && !work.hasChangedStanding) run = takeOrFail(work, run);
}

/**
 * Takes the runs under way to where they were when an event was recorded, by what was recorded before it, as far as they do
 * nothing on the way: who may enter again, and what ends a wait, must not depend on whether anybody has come to take these
 * steps since, nor on when anybody comes to read the event: a delay that was over only after it still lasts. Actions are left to
 * `advance`, as an exit that follows is to come before them.
 */
export function catchUp(work: Work, event: CustomerEvent): void {
  if (!isRunning(work)) return;
  const from = work.context.automation.resumed?.at ?? 0;
  work.asBefore(event, () => {
    for (const found of work.activeRuns) {
      if (!isDue(work, found) || found.waiting?.for === 'wait' || (found.dueAt ?? 0) < from) continue;
      if (found.waiting?.for === 'delay' && (found.dueAt ?? 0) > event.receivedAt) continue;
      let run = bringUpToDate(work, found);
      while (run && isDue(work, run) && isQuiet(currentStep(work, run))) run = takeOrFail(work, run);
    }
  });
}

/** Whether a step does nothing, and asks for nothing but what the customer has done and is. */
function isQuiet(step: Step): boolean {
  switch (step.type) {
    case 'wait':
      return itemCases(step).length === 0;
    case 'delay':
    case 'branch':
    case 'split':
    case 'exit':
      return true;
    default:
      return false;
  }
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
    // Whoever retries it has it wait anew.
    if (error instanceof StepFailed) return fail(work, { ...run, waiting: null }, error.code);
    if (error instanceof TooLarge) return fail(work, run, 'too_large');
    throw error;
  }
}

/** What was due before the automation was resumed ends, or is spread over a while, each run at its place in it. */
function settleOverdue(work: Work, run: Run): Run {
  const { resumed } = work.context.automation;
  // A wait for items is looked at before it is over.
  if (!resumed || (run.waiting?.until ?? run.dueAt ?? 0) >= resumed.at) return run;
  if (resumed.overdue === 'exit') return work.end(run, 'overdue');
  const until = resumed.at + Math.floor((work.context.draw(run.id, 'resumed') / 100) * resumed.spreadMs);
  if (until <= work.now) return run;
  return work.record(run, { outcome: 'postponed', until }, { dueAt: until });
}

const MAX_ATTEMPTS = 5;
/** Before each further attempt. */
const BACKOFF = [MINUTE, 5 * MINUTE, 20 * MINUTE, HOUR];
/** Codes of what time does not heal. Somebody may, and then retry the run. */
const LASTING: ReadonlySet<string> = new Set([
  'too_large',
  'message_too_large',
  'render_failed',
  'invalid_path',
  'invalid_header',
  'history_too_long',
  'endpoint_deleted',
  'coupon_pool_deleted',
  'coupon_pool_empty',
  'coupon_pool_expired',
  'list_deleted',
  'list_full',
]);

/** A step has failed: it is tried again later, or the run fails. */
export function fail(work: Work, run: Run, code: string): Run {
  const attempt = run.attempts + 1;
  if (attempt >= MAX_ATTEMPTS || LASTING.has(code)) {
    // It leaves its place: a customer is not shut out by a failure.
    work.release(run);
    const change = { status: 'failed', attempts: attempt, reason: code, endedAt: work.now, dueAt: null } as const;
    return work.record(run, { outcome: 'failed', code, attempt }, change);
  }
  const retryAt = work.now + (BACKOFF[attempt - 1] as number);
  return work.record(run, { outcome: 'attempt_failed', code, attempt, retryAt }, { attempts: attempt, dueAt: retryAt });
}

/** Goes on from the step that failed, unless another run has taken its place meanwhile. */
export function retry(work: Work, run: Run): void {
  if (run.status !== 'failed') return;
  const place = run.enrolmentKey === null ? undefined : work.enrolment(run.enrolmentKey);
  if (place) {
    if (place.activeRunId !== null) return;
    work.enrol({ ...place, activeRunId: run.id });
  }
  const change = { status: 'active', attempts: 0, reason: null, endedAt: null, dueAt: work.now } as const;
  work.record(run, { outcome: 'retried' }, change);
}
