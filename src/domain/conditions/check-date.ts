import { parseDuration } from '../time/duration.ts';
import { isTimeZone } from '../time/local.ts';
import { parseMoment } from '../time/moment.ts';
import { checkName } from './check-name.ts';
import { DATE_LENGTH, DATE_SPANS, type DateTest, MAX_DAYS, MAX_DAYS_OF_ANNIVERSARY, type ZoneOfDays } from './dates.ts';
import type { Report } from './report.ts';
import type { Scope } from './scope.ts';
import type { Path } from './tree.ts';

/** Checks which date is asked for, and where it must lie. */
export function checkDate(test: DateTest, path: Path, scope: Scope, report: Report): void {
  checkWhich(test, path, scope, report);
  if (test.time_zone !== undefined) checkZone(test.time_zone, [...path, 'time_zone'], scope, report);
  const [first, ...others] = DATE_SPANS.filter((name) => test[name] !== undefined);
  if (first === undefined) report.add(path, `needs one of ${DATE_SPANS.join(', ')}`);
  for (const name of others) report.add([...path, name], `must be absent beside ${first}`);
  const { last, next, before, after, anniversary } = test;
  if (last !== undefined) checkDays(last, [...path, 'last'], { least: 1, most: MAX_DAYS }, report);
  if (next !== undefined) checkDays(next, [...path, 'next'], { least: 1, most: MAX_DAYS }, report);
  if (before !== undefined) checkDay(before, [...path, 'before'], report);
  if (after !== undefined) checkDay(after, [...path, 'after'], report);
  if (anniversary) checkAnniversary(anniversary, [...path, 'anniversary'], report);
}

function checkWhich({ attribute, property }: DateTest, path: Path, scope: Scope, report: Report): void {
  if ((attribute === undefined) === (property === undefined)) report.add(path, 'needs either attribute or property');
  if (attribute !== undefined) {
    checkName(attribute, [...path, 'attribute'], report);
    if (scope === 'event') report.add([...path, 'attribute'], 'is not allowed here: only properties of the event are');
  }
  if (property !== undefined) {
    checkName(property, [...path, 'property'], report);
    if (scope !== 'event' && scope !== 'all') {
      report.add([...path, 'property'], 'is not allowed here: there is no event');
    }
  }
}

function checkZone(zone: ZoneOfDays, path: Path, scope: Scope, report: Report): void {
  if (typeof zone === 'string') {
    if (!isTimeZone(zone)) report.add(path, 'is not the name of a time zone');
    return;
  }
  if (scope === 'event') report.add(path, 'must be the name of a time zone: there is no customer here');
  checkName(zone.attribute, [...path, 'attribute'], report);
  if (!isTimeZone(zone.default)) report.add([...path, 'default'], 'is not the name of a time zone');
}

function checkAnniversary({ in: ahead, next }: NonNullable<DateTest['anniversary']>, path: Path, report: Report): void {
  if ((ahead === undefined) === (next === undefined)) report.add(path, 'needs either in or next');
  const most = MAX_DAYS_OF_ANNIVERSARY;
  if (ahead !== undefined) checkDays(ahead, [...path, 'in'], { least: -most, most }, report);
  if (next !== undefined) checkDays(next, [...path, 'next'], { least: 1, most }, report);
}

function checkDays(text: string, path: Path, { least, most }: { least: number; most: number }, report: Report): void {
  const duration = parseDuration(text);
  if (duration?.ms !== 0) report.add(path, 'must be a duration of whole days or weeks, such as P30D');
  else if (duration.days < least || duration.days > most)
    report.add(path, `must be from P${least}D to P${most}D`.replace('P-', '-P'));
}

/** A date, or days from today. */
function checkDay(text: string, path: Path, report: Report): void {
  if (/^-?P/.test(text)) checkDays(text, path, { least: -MAX_DAYS, most: MAX_DAYS }, report);
  else if (text.length !== DATE_LENGTH || parseMoment(text) === undefined) {
    report.add(path, 'must be a date such as 2026-12-24, or days from today such as P7D or -P7D');
  }
}
