import { durationMs } from '../../../../time/duration.ts';
import type { WaitStep } from '../../definition/steps.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import { matchCondition, matchEvent, waitQuestion } from '../wake.ts';
import type { Work } from '../work.ts';

/**
 * Looks back when it begins, as an event may have come before, and once more before it gives up: an event that is
 * stored counts, though whoever reads them in order has not come to it yet. Those before it has been told of since.
 */
export function wait(work: Work, run: Run, step: WaitStep): Run {
  const isBeginning = run.waiting?.for !== 'wait';
  const since = isBeginning ? work.now : (run.waiting?.since as number);
  const question = waitQuestion(step, run, since);
  const isTold = !isBeginning && run.seenAt !== work.now;
  const event = question.matches.length > 0 ? work.lookBack(isTold ? { ...question, isUnread: true } : question) : null;
  if (event) return matchEvent(work, run, step, event);
  const held = matchCondition(work, run, step, { profile: () => work.profile(), standing: work.standing });
  if (held) return held;
  if (!isBeginning) return goTo(work, run, step.on_timeout, { outcome: 'timed_out', next: step.on_timeout });
  const until = work.now + durationMs(step.timeout);
  return work.record(run, { outcome: 'waiting', until }, { dueAt: until, waiting: { for: 'wait', since } });
}
