import { seen } from '../../../../conditions/seen.ts';
import { isComputed } from '../../definition/computations.ts';
import type { EmitEventStep, SetProfileStep } from '../../definition/steps.ts';
import { chainOf } from '../origin.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import { Filling } from '../templates.ts';
import type { Work } from '../work.ts';
import { exitBeforeAction } from './before-action.ts';

/**
 * A value that is not there removes the attribute, as null does in a profile's attributes; where one can't be computed, the
 * attribute stays as it is.
 */
export function setProfile(work: Work, run: Run, step: SetProfileStep): Run {
  const ended = exitBeforeAction(work, run);
  if (ended) return ended;
  const { set: templates = {} } = step;
  const filled = Object.entries(new Filling(work, run).values(templates));
  const set = Object.fromEntries(filled.filter(([name, value]) => value !== null || !isComputed(templates[name])));
  const unset = step.unset ?? [];
  work.changeAttributes((attributes) => patch(attributes, set, unset));
  const [seq, depth, chain] = [run.seq + 1, run.depth + 1, chainOf(run)];
  work.effect({ type: 'set_profile', runId: run.id, seq, depth, chain, set, unset });
  return goTo(work, run, step.next, { outcome: 'profile_set', set: shortened(set), unset });
}

/** Attributes after a step. */
export function patch(
  attributes: Readonly<Record<string, unknown>>,
  set: Readonly<Record<string, unknown>>,
  unset: readonly string[],
): Record<string, unknown> {
  const all = Object.entries({ ...attributes, ...set });
  return Object.fromEntries(all.filter(([name, value]) => value !== null && !unset.includes(name)));
}

export function emitEvent(work: Work, run: Run, step: EmitEventStep): Run {
  const ended = exitBeforeAction(work, run) ?? holdBack(work, run);
  if (ended) return ended;
  const { event_type: eventType, properties: templates = {} } = step;
  const properties = new Filling(work, run).values(templates);
  const seq = run.seq + 1;
  const key = `${run.id}:${seq}`;
  const [depth, chain] = [run.depth + 1, chainOf(run)];
  work.effect({ type: 'emit_event', runId: run.id, seq, depth, chain, eventType, properties, key });
  return goTo(work, run, step.next, { outcome: 'event_emitted', eventType, properties: shortened(properties) });
}

/**
 * Ends the run if as many events have followed from what it began with as may, and puts it off if its store emits more
 * than it may at a time: once, whatever comes then.
 */
function holdBack(work: Work, run: Run): Run | undefined {
  const { eventsLeft = Number.POSITIVE_INFINITY, emitAt = work.now } = work.context.facts;
  if (work.emitted >= eventsLeft) return work.end(run, 'chain_too_wide');
  if (emitAt <= work.now || work.emitted > 0) return undefined;
  const waiting = { for: 'pace', since: work.now } as const;
  return work.record(run, { outcome: 'postponed', until: emitAt }, { dueAt: emitAt, waiting });
}

/** As a timeline shows it. */
function shortened(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, seen(value)]));
}
