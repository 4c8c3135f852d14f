import { DAY } from '../../../../time/duration.ts';
import { referencePath } from '../../definition/references.ts';
import type { DelayStep, UntilDate } from '../../definition/steps.ts';
import { attributesOfDelay } from '../../definition/uses.ts';
import { momentBeside } from '../../time/dates.ts';
import { zoneDetail } from '../customer-zone.ts';
import type { ProfileChange } from '../input.ts';
import { lookUpReference } from '../look-up-reference.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import type { Work } from '../work.ts';

/** How far ahead a date may be: runs are to end some day. */
const FURTHEST = 400 * DAY;

type DateStep = DelayStep & { until_date: UntilDate };

/** Whether a step waits until a date. */
export function isUntilDate(step: DelayStep): step is DateStep {
  return step.until_date !== undefined;
}

/** Waits until the moment beside the date, or does what the step says of one that is past or that there is not. */
export function delayUntilDate(work: Work, run: Run, step: DateStep): Run {
  const { until_date: asked } = step;
  const value = lookUpReference(work, run, referencePath(asked.date));
  const zone = work.zone(work.versionOf(run).definition);
  const due = momentBeside(value, asked, zone.name);
  if (due === undefined || due - work.now > FURTHEST) return withoutDate(work, run, step);
  if (due <= work.now) return pastDate(work, run, step, due);
  if (run.waiting?.for === 'delay' && run.dueAt === due) return run;
  const waiting = { for: 'delay', since: run.waiting?.since ?? work.now } as const;
  return work.record(run, { outcome: 'delayed', until: due, ...zoneDetail(zone) }, { dueAt: due, waiting });
}

function pastDate(work: Work, run: Run, { until_date: { if_past, on_past = null }, next }: DateStep, due: number): Run {
  const onward = if_past === 'skip' ? on_past : if_past === 'exit' ? null : next;
  const decision = { outcome: 'date_missed', due, next: onward } as const;
  return if_past === 'exit' ? work.end(work.record(run, decision, {}), 'date_past') : goTo(work, run, onward, decision);
}

/** Nothing says when to go on: at once would be wrong of somebody whose date nobody knows yet. */
function withoutDate(work: Work, run: Run, { until_date: { if_past, on_past = null } }: DateStep): Run {
  const decision = { outcome: 'date_missed', due: null } as const;
  if (if_past === 'skip') return goTo(work, run, on_past, { ...decision, next: on_past });
  return work.end(work.record(run, { ...decision, next: null }, {}), 'no_date');
}

/** Has a run that waits for a date of the profile wait for what it has become. */
export function moveDate(work: Work, run: Run, step: DelayStep, { changes }: ProfileChange): void {
  if (!isUntilDate(step) || run.waiting?.for !== 'delay') return;
  const names = attributesOfDelay(step, work.versionOf(run).definition);
  if (names.some((name) => Object.hasOwn(changes, name))) delayUntilDate(work, run, step);
}
