import { HOUR, MINUTE } from '../../../time/duration.ts';
import type { Run } from './run.ts';
import type { Work } from './work.ts';

export const MAX_ATTEMPTS = 5;
/** Before each further attempt. */
const BACKOFF = [MINUTE, 5 * MINUTE, 20 * MINUTE, HOUR];
/** Codes of what time does not heal. Somebody may, and then retry the run. */
const LASTING: ReadonlySet<string> = new Set([
  'too_large',
  'message_too_large',
  'history_too_long',
  'endpoint_deleted',
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
