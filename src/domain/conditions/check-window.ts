import { durationMs, parseDuration } from '../time/duration.ts';
import { isTimeZone } from '../time/local.ts';
import { EARLIEST, LATEST } from '../time/moment.ts';
import type { Report } from './report.ts';
import type { Path } from './tree.ts';
import { type LastWindow, MAX_SPAN_MS, type Window } from './windows.ts';

/** Of several ways to say one thing, the later ones must be absent. */
export function onlyOne(ways: Readonly<Record<string, unknown>>, path: Path, report: Report): void {
  const [first, ...others] = Object.keys(ways).filter((name) => ways[name] !== undefined);
  for (const name of others) report.add([...path, name], `must be absent beside ${first}`);
}

export function checkWindow(window: Window, path: Path, report: Report): void {
  if ('ago' in window) {
    const { min, max } = window.ago;
    const spans = [spanMs(min, [...path, 'ago', 'min'], report), spanMs(max, [...path, 'ago', 'max'], report)] as const;
    if (spans[0] !== undefined && spans[1] !== undefined && spans[0] >= spans[1]) {
      report.add([...path, 'ago', 'max'], 'must be longer than min');
    }
    return;
  }
  if ('last' in window) checkLast(window, path, report);
  else checkBetween(window, path, report);
}

function checkLast({ last, calendar, time_zone }: LastWindow, path: Path, report: Report): void {
  const ms = spanMs(last, [...path, 'last'], report);
  if (ms === 0) report.add([...path, 'last'], 'must be longer than nothing');
  if (!calendar && time_zone !== undefined) report.add([...path, 'time_zone'], 'is allowed only with calendar');
  if (!calendar) return;
  if (ms && parseDuration(last)?.ms !== 0) report.add([...path, 'last'], 'must be days or weeks with calendar');
  if (time_zone !== undefined && !isTimeZone(time_zone)) {
    report.add([...path, 'time_zone'], 'is not the name of a time zone');
  }
}

function checkBetween({ from, to }: { from: string; to?: string }, path: Path, report: Report): void {
  const isTime = (text: string) => Date.parse(text) > EARLIEST.getTime() && Date.parse(text) < LATEST.getTime();
  for (const [name, time] of Object.entries({ from, to })) {
    if (time !== undefined && !isTime(time)) report.add([...path, name], 'is not a time from the year 1 to 9998');
  }
  if (to !== undefined && isTime(from) && isTime(to) && Date.parse(from) >= Date.parse(to)) {
    report.add([...path, 'to'], 'must be later than from');
  }
}

/** The milliseconds of a span of a window; undefined if it can't be one. */
function spanMs(text: string, path: Path, report: Report): number | undefined {
  if (text.startsWith('-') || !parseDuration(text)) {
    report.addUnlessUnfinished(path, 'must be a duration of ISO 8601 such as P30D, or short, such as 30d', text);
    return undefined;
  }
  const ms = durationMs(text);
  if (ms <= MAX_SPAN_MS) return ms;
  report.add(path, 'is longer than ten years');
  return undefined;
}
