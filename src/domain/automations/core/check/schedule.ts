import { checkId } from '../../../conditions/check.ts';
import { isTimeZone } from '../../../time/local.ts';
import type { ScheduleTrigger } from '../definition/definition.ts';
import { parseDate } from '../time/dates.ts';
import type { DefinitionReport } from './limits.ts';

/** Which part says on which days it repeats. */
const DAYS_OF = { once: 'date', weekly: 'weekdays', monthly: 'day' } as const;

/** Checks a schedule by itself: what it names, when it is, and that it says nothing that does not count. */
export function checkSchedule(trigger: ScheduleTrigger, report: DefinitionReport): void {
  const { list, segment, repeat, at, date, weekdays, time_zone, max_age } = trigger;
  if ((list === undefined) === (segment === undefined)) report.add(['trigger'], 'needs one of list, segment');
  if (list !== undefined) checkId(list, ['trigger', 'list'], report);
  if (segment !== undefined) checkId(segment, ['trigger', 'segment'], report);
  report.timeOfDay(['trigger', 'at'], at);
  for (const [wanted, part] of Object.entries(DAYS_OF)) {
    const isThere = trigger[part] !== undefined;
    if (repeat === wanted && !isThere) report.add(['trigger', part], `is needed with ${wanted}`);
    if (repeat !== wanted && isThere) report.add(['trigger', part], `is allowed only with ${wanted}`);
  }
  if (date !== undefined && !(isDayAlone(date) && parseDate(date))) {
    report.addUnlessUnfinished(['trigger', 'date'], 'must be a date that exists, such as 2026-12-01', date);
  }
  if (weekdays?.length === 0) report.add(['trigger', 'weekdays'], 'must not be empty');
  if (time_zone !== undefined && !isTimeZone(time_zone)) {
    report.add(['trigger', 'time_zone'], 'must be the name of a time zone, such as Europe/Berlin');
  }
  if (max_age !== undefined) report.duration(['trigger', 'max_age'], max_age, report.limits.maxAge);
}

function isDayAlone(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text);
}
