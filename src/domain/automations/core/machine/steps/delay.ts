import { durationMs } from '../../../../time/duration.ts';
import { nextLocal } from '../../../../time/local.ts';
import type { DelayStep } from '../../definition/steps.ts';
import { arrive } from '../position.ts';
import type { Run } from '../run.ts';
import type { Work } from '../work.ts';
import { zoneDetail } from './zone-detail.ts';

/** The end of a delay has no entry in the timeline: its beginning says when it ends. */
export function delay(work: Work, run: Run, step: DelayStep): Run {
  if (run.waiting?.for === 'delay') return arrive(work, run, step.next);
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
