import { durationMs, parseDuration } from '../time/duration.ts';
import { isTimeZone } from '../time/local.ts';
import { EARLIEST, LATEST } from '../time/moment.ts';
import { checkComparison, checkTextComparison } from './check-comparison.ts';
import { checkDate } from './check-date.ts';
import { checkName } from './check-name.ts';
import {
  type Condition,
  type Did,
  type ItemsLeaf,
  type Leaf,
  type LeafKind,
  type LeafKinds,
  leafKind,
} from './condition.ts';
import { MAX_HISTORY } from './history.ts';
import { MAX_ITEM_COMPARISONS } from './items.ts';
import { MEASURES_OF_PROPERTY } from './measure.ts';
import type { Report } from './report.ts';
import type { Scope } from './scope.ts';
import type { Path } from './tree.ts';
import { type LastWindow, MAX_SPAN_MS, type Window } from './windows.ts';

const OF_PROFILE = ['attribute', 'identifier', 'list', 'segment', 'consent', 'share'] as const;
const WITH_TODAY = [...OF_PROFILE, 'date'] as const;

const WITHIN: Record<Scope, readonly LeafKind[]> = {
  item: ['property'],
  event: ['property', 'items', 'date'],
  profile: OF_PROFILE,
  'profile and history': [...WITH_TODAY, 'did'],
  'without event': ['from', ...WITH_TODAY, 'did'],
  all: ['property', 'from', 'items', ...WITH_TODAY, 'did'],
  segment: [...WITH_TODAY, 'did', 'profile'],
};

const NOT_WITHIN: Partial<Record<LeafKind, string>> = {
  property: 'is not allowed here: there is no event',
  from: 'is not allowed here: no step has been taken yet, or what came of steps is not looked at',
  items: 'is not allowed here: there is no event',
  date: 'is not allowed here: nothing tells of another day; delay until the date instead',
  did: 'is not allowed here: history is not looked up',
  profile: 'is not allowed here: only segments ask for the times of a profile',
};

const ONLY: Partial<Record<Scope, string>> = {
  item: 'is not allowed here: only properties of the item are',
  event: 'is not allowed here: only properties of the event are',
};

/** Checks a condition. Returns how many leaves it has, those of the filters within it included. */
export function checkCondition(condition: Condition, path: Path, scope: Scope, report: Report, depth = 1): number {
  if (depth > report.limits.depth) {
    report.add(path, `is nested deeper than ${report.limits.depth} levels`);
    return 0;
  }
  if ('not' in condition) return checkCondition(condition.not, [...path, 'not'], scope, report, depth + 1);
  if ('all' in condition || 'any' in condition) {
    const [name, parts] = 'all' in condition ? (['all', condition.all] as const) : (['any', condition.any] as const);
    if (parts.length === 0) report.add([...path, name], 'must not be empty');
    return parts.reduce((sum, part, i) => sum + checkCondition(part, [...path, name, i], scope, report, depth + 1), 0);
  }
  return checkLeaf(condition, path, scope, report);
}

function checkLeaf(leaf: Leaf, path: Path, scope: Scope, report: Report): number {
  const kind = leafKind(leaf);
  if (!WITHIN[scope].includes(kind)) {
    report.add([...path, kind], ONLY[scope] ?? NOT_WITHIN[kind] ?? 'is not allowed here');
  }
  if ('items' in leaf) return 1 + checkItems(leaf.items, [...path, 'items'], report);
  if ('date' in leaf) checkDate(leaf.date, [...path, 'date'], scope, report);
  if ('date' in leaf) return 1;
  if ('did' in leaf) return 1 + checkDid(leaf.did, [...path, 'did'], scope, report);
  const check = CHECKERS[kind as keyof Checkers] as (leaf: Leaf, path: Path, report: Report) => void;
  check(leaf, path, report);
  return 1;
}

type Checkers = {
  [Kind in Exclude<LeafKind, 'date' | 'did' | 'items'>]: (leaf: LeafKinds[Kind], path: Path, report: Report) => void;
};

const CHECKERS: Checkers = {
  property: (leaf, path, report) => {
    checkName(leaf.property, [...path, 'property'], report);
    checkComparison(leaf, path, report);
  },
  from: (leaf, path, report) => {
    checkName(leaf.from, [...path, 'from'], report);
    checkComparison(leaf, path, report);
  },
  attribute: (leaf, path, report) => {
    checkName(leaf.attribute, [...path, 'attribute'], report);
    checkComparison(leaf, path, report);
  },
  identifier: checkTextComparison,
  profile: ({ profile }, path, report) => checkWindow(profile.window, [...path, 'profile', 'window'], report),
  list: ({ list }, path, report) => checkId(list, [...path, 'list'], report),
  segment: ({ segment }, path, report) => checkId(segment, [...path, 'segment'], report),
  consent: () => {},
  share: ({ share: { name, from = 0, to } }, path, report) => {
    if (name === '') report.add([...path, 'share', 'name'], 'must not be empty');
    if (from >= to) report.add([...path, 'share', 'to'], 'must be more than from');
  },
};

/** Returns how many leaves its test of an item has. */
function checkItems({ property, where }: ItemsLeaf['items'], path: Path, report: Report): number {
  checkName(property, [...path, 'property'], report);
  const leaves = checkCondition(where, [...path, 'where'], 'item', report);
  if (leaves > MAX_ITEM_COMPARISONS)
    report.add([...path, 'where'], `has more than ${MAX_ITEM_COMPARISONS} comparisons`);
  return leaves;
}

/** Returns how many leaves its filter has. */
function checkDid(did: Did, path: Path, scope: Scope, report: Report): number {
  const { at_least, at_most, count, days, within, window, since, filter } = did;
  if (at_least !== undefined && at_most !== undefined && at_least > at_most) {
    report.add([...path, 'at_least'], 'must not be more than at_most');
  }
  const measures = Object.fromEntries(MEASURES_OF_PROPERTY.map((name) => [name, did[name]]));
  const often = at_least === undefined ? 'at_most' : 'at_least';
  onlyOne({ [often]: at_least ?? at_most, count, ...measures, days }, path, report);
  if (count && count.value > MAX_HISTORY && scope !== 'segment') {
    report.add([...path, 'count', 'value'], `must be at most ${MAX_HISTORY}: no more events are read`);
  }
  for (const name of MEASURES_OF_PROPERTY) {
    const measured = did[name];
    if (measured) checkName(measured.property, [...path, name, 'property'], report);
  }
  if (days?.time_zone !== undefined && !isTimeZone(days.time_zone)) {
    report.add([...path, 'days', 'time_zone'], 'is not the name of a time zone');
  }
  onlyOne({ within, window, since }, path, report);
  if (within !== undefined) report.duration([...path, 'within'], within, report.limits.history);
  if (window) checkWindow(window, [...path, 'window'], report);
  if (since !== undefined && scope === 'segment') report.add([...path, 'since'], 'must be absent: there is no trigger');
  if (!filter) return 0;
  const leaves = checkCondition(filter, [...path, 'filter'], 'event', report);
  const { leavesOfFilter = leaves } = report.limits;
  if (leaves > leavesOfFilter) report.add([...path, 'filter'], `has more than ${leavesOfFilter} comparisons`);
  return leaves;
}

/** Of several ways to say one thing, the later ones must be absent. */
function onlyOne(ways: Readonly<Record<string, unknown>>, path: Path, report: Report): void {
  const [first, ...others] = Object.keys(ways).filter((name) => ways[name] !== undefined);
  for (const name of others) report.add([...path, name], `must be absent beside ${first}`);
}

function checkWindow(window: Window, path: Path, report: Report): void {
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

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the store has it is for the database to say. */
export function checkId(id: string, path: Path, report: Report): void {
  if (!UUID.test(id)) report.add(path, 'must be an id');
}
