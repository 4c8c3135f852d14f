import { evaluate } from '../../../conditions/evaluate.ts';
import type { Standing } from '../../../conditions/standing.ts';
import type { CustomerEvent, Profile, Subject } from '../../../conditions/subject.ts';
import { durationMs } from '../../../time/duration.ts';
import type { Goal } from '../definition/definition.ts';
import type { EventMatch } from '../definition/event-match.ts';
import type { WaitStep } from '../definition/steps.ts';
import type { ProfileChange } from './input.ts';
import { CLOCK_SKEW, findMatch } from './matching.ts';
import type { LookBackQuestion } from './need.ts';
import { currentStep, goTo, reachedWithEvent } from './position.ts';
import { withEvent } from './results.ts';
import type { Run } from './run.ts';
import { moveDate } from './steps/delay-until-date.ts';
import type { MatchedEvent } from './timeline.ts';
import { bringUpToDate } from './versions.ts';
import type { Work } from './work.ts';

/** Tells the runs under way of an event: exits before waits. Also while the automation is paused. */
export function wakeByEvent(work: Work, event: CustomerEvent): void {
  for (const one of work.activeRuns) {
    const run = bringUpToDate(work, one);
    if (!run) continue;
    const exits = exitQuestion(work, run);
    const index = exits ? findMatch(exits, event) : -1;
    if (index >= 0) {
      endByEvent(work, run, index, event);
      continue;
    }
    const step = currentStep(work, run);
    if (step.type !== 'wait' || run.waiting?.for !== 'wait') continue;
    const fits = findMatch(waitQuestion(step, run, run.waiting.since), event) >= 0;
    if (fits) matchEvent(work, run, step, event);
  }
}

/** Tells the runs under way of a change: a wait may be for what the profile has become. */
export function wakeByChange(work: Work, change: ProfileChange): void {
  for (const one of work.activeRuns) {
    const run = bringUpToDate(work, one);
    if (!run) continue;
    const step = currentStep(work, run);
    if (step.type === 'delay') moveDate(work, run, step, change);
    if (step.type !== 'wait' || run.waiting?.for !== 'wait') continue;
    matchCondition(work, run, step, after(work, change));
  }
}

export function exitQuestion(work: Work, run: Run): LookBackQuestion | undefined {
  const { exit_on = [], goal } = work.versionOf(run).definition;
  const endsByGoal = goal && goal.on_reached !== 'continue' && work.now <= goalEndsAt(goal, run);
  const matches = endsByGoal ? [...exit_on, matchOf(goal)] : exit_on;
  return matches.length === 0 ? undefined : question(run, matches, run.trigger.at - CLOCK_SKEW);
}

/** Ends a run with an event that fits one of those matches. */
export function endByEvent(work: Work, run: Run, index: number, event: CustomerEvent): Run {
  const { exit_on = [] } = work.versionOf(run).definition;
  if (index < exit_on.length) return work.end(run, 'exit_event', { event: matched(index, event) });
  return work.end(run, 'goal_reached', { event: matched(0, event) });
}

/** What a run is for; an event that one of its waits has used counts, too. */
export function goalQuestion(goal: Goal, run: Run): LookBackQuestion {
  const { at, eventId } = run.trigger;
  return { ...question(run, [matchOf(goal)], at - CLOCK_SKEW), except: eventId === null ? [] : [eventId] };
}

/** Until when it counts, in milliseconds. */
export function goalEndsAt({ within }: Goal, { startedAt }: Run): number {
  return startedAt + durationMs(within);
}

function matchOf({ within, on_reached, ...match }: Goal): EventMatch {
  return match;
}

/**
 * When a run has reached the wait that it is at. An event that led there, as the trigger does to the first step, counts with
 * the time at which it happened: it must not matter when anybody came to look at it.
 */
export function reachedAt({ now }: Work, run: Run): number {
  return run.waiting?.for === 'wait' ? run.waiting.since : (reachedWithEvent(run) ?? now);
}

/** What a wait looks for whose step was reached at `since`. */
export function waitQuestion({ for: cases, since: from }: WaitStep, run: Run, since: number): LookBackQuestion {
  const matches = cases.filter((one) => 'event_type' in one);
  if (from !== 'step') return question(run, matches, run.trigger.at - CLOCK_SKEW);
  // An event of the moment at which another one led here must have come after that.
  const trigger = { at: since, receivedAt: null, eventId: run.consumed.at(-1) ?? null };
  return { ...question(run, matches, since), trigger };
}

/** Goes where the wait leads with this event, which no later wait uses again. */
export function matchEvent(work: Work, run: Run, step: WaitStep, event: CustomerEvent): Run {
  const asked = waitQuestion(step, run, reachedAt(work, run));
  const match = asked.matches[findMatch(asked, event)] as WaitStep['for'][number];
  const [index, { next }] = [step.for.indexOf(match), match];
  const decision = { outcome: 'matched', event: matched(index, event), next } as const;
  const results = withEvent(run, work.versionOf(run).definition, event);
  const since = Math.max(reachedAt(work, run), event.occurredAt);
  return goTo(work, run, next, decision, { consumed: [...run.consumed, event.id], results }, since);
}

/** Goes where the wait leads if one of its conditions holds; undefined if none does. */
export function matchCondition(
  work: Work,
  run: Run,
  step: WaitStep,
  subject: Pick<Subject, 'profile' | 'standing'>,
): Run | undefined {
  for (const [index, one] of step.for.entries()) {
    if (!('when' in one)) continue;
    const { holds, leaf } = evaluate(one.when, subject);
    if (holds) return goTo(work, run, one.next, { outcome: 'matched', condition: { index, leaf }, next: one.next });
  }
  return undefined;
}

export function matched(index: number, { id, occurredAt }: CustomerEvent): MatchedEvent {
  return { index, eventId: id, occurredAt };
}

function question({ id, key, trigger, consumed }: Run, matches: readonly EventMatch[], from: number): LookBackQuestion {
  const { at, receivedAt, eventId } = trigger;
  return { matches, runId: id, key, from, trigger: { at, receivedAt, eventId }, except: consumed };
}

/** The customer just after a change: what has become meanwhile of what has changed does not matter. */
function after(work: Work, { changes, moved, at }: ProfileChange): Pick<Subject, 'profile' | 'standing'> {
  const { standing } = work;
  const memberSince: Standing['memberSince'] = ({ kind, id }) => {
    if (kind !== moved?.kind || id !== moved.id) return standing.memberSince({ kind, id });
    return moved.isMember ? at : null;
  };
  return {
    profile: () => withChanges(work.profile(), changes),
    standing: { ...standing, memberSince },
  };
}

function withChanges(profile: Profile, changes: ProfileChange['changes']): Profile {
  const attributes = { ...profile.attributes };
  for (const [name, { to }] of Object.entries(changes)) attributes[name] = to;
  return { ...profile, attributes };
}
