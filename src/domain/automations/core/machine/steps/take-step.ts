import { evaluate, type Finding } from '../../../../conditions/evaluate.ts';
import { DAY, durationMs, SECOND } from '../../../../time/duration.ts';
import { nextLocal } from '../../../../time/local.ts';
import type { BranchStep, DelayStep, SplitStep, Step, StepType, StepTypes, WaitStep } from '../../definition/steps.ts';
import { zoneDetail } from '../customer-zone.ts';
import { arrive, goTo } from '../position.ts';
import type { Run } from '../run.ts';
import { matchCondition, matchEvent, reachedAt, waitQuestion } from '../wake.ts';
import type { Work } from '../work.ts';
import { emitEvent, setProfile } from './actions.ts';
import { assignCoupon } from './assign-coupon.ts';
import { itemsAwaited, matchItem } from './await-item.ts';
import { callWebhook } from './call-webhook.ts';
import { changeConsent, changeList } from './change-standing.ts';
import { delayUntilDate, isUntilDate } from './delay-until-date.ts';
import { sendMessage } from './send-message.ts';
import { sendWebhook } from './send-webhook.ts';

/** Takes a step that is due, or goes on with one that has waited until now. Returns the run as it is then. */
type Taker<Type extends StepType> = (work: Work, run: Run, step: StepTypes[Type]) => Run;

const TAKERS: { [Type in StepType]: Taker<Type> } = {
  delay,
  wait,
  branch,
  split,
  set_profile: setProfile,
  emit_event: emitEvent,
  send_webhook: sendWebhook,
  call_webhook: callWebhook,
  send_email: sendMessage,
  send_sms: sendMessage,
  assign_coupon: assignCoupon,
  add_to_list: changeList,
  remove_from_list: changeList,
  subscribe: changeConsent,
  unsubscribe: changeConsent,
  exit: (work, run, { reason }) => work.end(run, 'exit_step', reason === undefined ? {} : { text: reason }),
};

export function takeStep(work: Work, run: Run, step: Step): Run {
  const take = TAKERS[step.type] as (work: Work, run: Run, step: Step) => Run;
  return take(work, run, step);
}

/** Goes where the first case leads that holds. */
function branch(work: Work, run: Run, step: BranchStep): Run {
  let last: Finding | null = null;
  for (const [index, { when, next }] of step.cases.entries()) {
    const { holds, leaf } = evaluate(when, work.subject(run.captured.properties, run.trigger, run.results));
    if (holds) return goTo(work, run, next, { outcome: 'branched', case: index, leaf, next });
    last = leaf;
  }
  return goTo(work, run, step.else, { outcome: 'branched', case: null, leaf: last, next: step.else });
}

/** Weights that are 0 get nobody. */
function split(work: Work, run: Run, { id, per, weights }: SplitStep): Run {
  const { automation, draw } = work.context;
  const drawn = draw(per === 'customer' ? `${automation.id} ${run.profileId}` : run.id, id);
  let [index, upTo] = [0, weights[0]?.percent ?? 0];
  while (drawn >= upTo && index < weights.length - 1) {
    index += 1;
    upTo += weights[index]?.percent ?? 0;
  }
  const next = weights[index]?.next ?? null;
  return goTo(work, run, next, { outcome: 'split', index, drawn, next });
}

/** The end of a delay has no entry in the timeline: its beginning says when it ends. */
function delay(work: Work, run: Run, step: DelayStep): Run {
  if (run.waiting?.for === 'delay') return arrive(work, run, step.next);
  if (isUntilDate(step)) return delayUntilDate(work, run, step);
  const { until, ...detail } = endOf(work, run, step);
  const waiting = { for: 'delay', since: work.now } as const;
  return work.record(run, { outcome: 'delayed', until, ...detail }, { dueAt: until, waiting });
}

function endOf(work: Work, run: Run, { for: duration, until }: DelayStep) {
  if (duration !== undefined) return { until: work.now + durationMs(duration) };
  const zone = work.zone(work.versionOf(run).definition);
  const { at, weekdays } = until as NonNullable<DelayStep['until']>;
  return { until: nextLocal(work.now, at, zone.name, weekdays), ...zoneDetail(zone) };
}

/**
 * Looks back when it begins, as an event may have come before, and once more before it gives up: an event that is
 * stored counts, though whoever reads them in order has not come to it yet. Those before it has been told of since.
 */
function wait(work: Work, run: Run, step: WaitStep): Run {
  const isBeginning = run.waiting?.for !== 'wait';
  const since = reachedAt(work, run);
  const question = waitQuestion(step, run, since);
  const isTold = !isBeginning && run.seenAt !== work.now;
  const event = question.matches.length > 0 ? work.lookBack(isTold ? { ...question, isUnread: true } : question) : null;
  if (event) return matchEvent(work, run, step, event);
  const held = matchCondition(work, run, step, { profile: () => work.profile(), standing: work.standing });
  const found = held ?? matchItem(work, run, step);
  if (found) return found;
  if (isBeginning) return beginWait(work, run, step, since);
  const { until } = run.waiting ?? {};
  if (until !== undefined && until > work.now) {
    return work.place({ ...run, dueAt: Math.min(until, work.now + LOOK_DAILY) });
  }
  return goTo(work, run, step.on_timeout, { outcome: 'timed_out', next: step.on_timeout });
}

/**
 * Milliseconds after which the items of a wait are looked at once more: a change that was committed while it began may have
 * found nobody waiting.
 */
const LOOK_AGAIN = 10 * SECOND;
/** What is new of an item, as a variant, is no change of which anybody is told. */
const LOOK_DAILY = DAY;

function beginWait(work: Work, run: Run, step: WaitStep, since: number): Run {
  const until = work.now + durationMs(step.timeout);
  const items = itemsAwaited(work, run, step);
  const waiting = { for: 'wait', since, ...(items.length > 0 && { until, items }) } as const;
  const dueAt = items.length > 0 ? Math.min(until, work.now + LOOK_AGAIN) : until;
  return work.record(run, { outcome: 'waiting', until }, { dueAt, waiting });
}
