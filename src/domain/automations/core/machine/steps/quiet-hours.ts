import { NIGHT, type QuietTimes, quietUntil } from '../../../../time/quiet-hours.ts';
import type { Definition, QuietHours } from '../../definition/definition.ts';
import type { SendingStep } from '../../definition/steps.ts';
import { zoneDetail } from '../customer-zone.ts';
import { goTo } from '../position.ts';
import type { Run } from '../run.ts';
import type { Work } from '../work.ts';

/** Messages wait, unless it says otherwise. */
type Quiet = Omit<QuietHours, 'then'> & Partial<Pick<QuietHours, 'then'>>;

function quietHoursOf(step: SendingStep, { quiet_hours: quiet }: Definition): Quiet | undefined {
  if (step.type !== 'send_sms') return quiet;
  return step.quiet_hours === false ? undefined : (quiet ?? NIGHT);
}

/** Messages wait until the customer's quiet hours are over, or are left out. Undefined if it is not quiet. */
export function keepQuiet(work: Work, run: Run, step: SendingStep): Run | undefined {
  const { definition } = work.versionOf(run);
  const quiet = quietHoursOf(step, definition);
  if (!quiet) return undefined;
  const zone = work.zone(definition);
  const until = quietUntil(quiet, zone.name, work.now);
  if (until === undefined) return undefined;
  const skipped = quiet.then === 'skip';
  const decision = { outcome: 'quiet_hours', until, skipped, ...zoneDetail(zone) } as const;
  if (skipped) return goTo(work, run, step.next, decision);
  return work.record(run, decision, { dueAt: until, waiting: { for: 'quiet_hours', since: work.now } });
}

/** The quiet hours that a message keeps also if it is late; undefined for none. */
export function quietOf(work: Work, run: Run, step: SendingStep): QuietTimes | undefined {
  const { definition } = work.versionOf(run);
  const quiet = quietHoursOf(step, definition);
  return quiet && { ...quiet, zone: work.zone(definition).name };
}
