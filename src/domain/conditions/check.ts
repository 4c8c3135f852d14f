import { isTimeZone } from '../time/local.ts';
import { checkComparison, checkTextComparison } from './check-comparison.ts';
import { checkDate } from './check-date.ts';
import { checkName } from './check-name.ts';
import { checkEventsValue, checkValueOf } from './check-value-of.ts';
import { checkWindow, onlyOne } from './check-window.ts';
import {
  type Compared,
  type Condition,
  type Did,
  type EventsAsked,
  type ItemsLeaf,
  type Joined,
  type Leaf,
  type LeafKind,
  type LeafKinds,
  leafKind,
  type Occurrence,
  type Sequence,
} from './condition.ts';
import { MAX_HISTORY } from './history.ts';
import { MAX_ITEM_COMPARISONS } from './items.ts';
import { MEASURES_OF_PROPERTY } from './measure.ts';
import type { Report } from './report.ts';
import type { Scope } from './scope.ts';
import type { Path } from './tree.ts';

const OF_PROFILE = ['attribute', 'identifier', 'list', 'segment', 'consent', 'share'] as const;
const WITH_TODAY = [...OF_PROFILE, 'date'] as const;
const OF_EVENTS = ['did', 'events', 'occurrence', 'sequence'] as const;

const WITHIN: Record<Scope, readonly LeafKind[]> = {
  item: ['property'],
  event: ['property', 'items', 'date'],
  profile: OF_PROFILE,
  'profile and history': [...WITH_TODAY, ...OF_EVENTS, 'item'],
  'without event': ['from', ...WITH_TODAY, ...OF_EVENTS, 'item'],
  all: ['property', 'from', 'items', ...WITH_TODAY, ...OF_EVENTS, 'item'],
  segment: [...WITH_TODAY, ...OF_EVENTS, 'profile'],
};

const NOT_WITHIN: Partial<Record<LeafKind, string>> = {
  property: 'is not allowed here: there is no event',
  from: 'is not allowed here: no step has been taken yet, or what came of steps is not looked at',
  items: 'is not allowed here: there is no event',
  date: 'is not allowed here: nothing tells of another day; delay until the date instead',
  did: 'is not allowed here: history is not looked up',
  events: 'is not allowed here: history is not looked up',
  occurrence: 'is not allowed here: history is not looked up',
  sequence: 'is not allowed here: history is not looked up',
  item: 'is not allowed here: only runs of an item look at it',
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
  if ('occurrence' in leaf) return 1 + checkOccurrence(leaf.occurrence, [...path, 'occurrence'], report);
  if ('sequence' in leaf) return 1 + checkSequence(leaf.sequence, [...path, 'sequence'], report);
  const check = CHECKERS[kind as keyof Checkers] as (leaf: Leaf, path: Path, report: Report) => void;
  check(leaf, path, report);
  if ('list' in leaf || 'segment' in leaf) checkJoined(leaf, path, scope, report);
  const checking = { scope, report, checkEvents };
  const within = 'events' in leaf ? checkEventsValue(leaf, leaf.events, [...path, 'events'], checking) : 0;
  if (!('value_of' in leaf) || !leaf.value_of) return 1 + within;
  return 1 + within + checkValueOf(leaf, path, checking);
}

type Checkers = {
  [Kind in Exclude<LeafKind, 'date' | 'did' | 'occurrence' | 'sequence' | 'items'>]: (
    leaf: LeafKinds[Kind],
    path: Path,
    report: Report,
  ) => void;
};

const CHECKERS: Checkers = {
  property: (leaf, path, report) => {
    checkName(leaf.property, [...path, 'property'], report);
    checkGiven(leaf, path, report);
  },
  from: (leaf, path, report) => {
    checkName(leaf.from, [...path, 'from'], report);
    checkGiven(leaf, path, report);
  },
  attribute: (leaf, path, report) => {
    checkName(leaf.attribute, [...path, 'attribute'], report);
    checkGiven(leaf, path, report);
  },
  events: checkGiven,
  identifier: checkTextComparison,
  profile: ({ profile }, path, report) => checkWindow(profile.window, [...path, 'profile', 'window'], report),
  list: ({ list }, path, report) => checkId(list, [...path, 'list'], report),
  segment: ({ segment }, path, report) => checkId(segment, [...path, 'segment'], report),
  consent: () => {},
  share: ({ share: { name, from = 0, to } }, path, report) => {
    if (name === '') report.add([...path, 'share', 'name'], 'must not be empty');
    if (from >= to) report.add([...path, 'share', 'to'], 'must be more than from');
  },
  item: (leaf, path, report) => {
    checkGiven(leaf, path, report);
    if (leaf.currency !== undefined && leaf.item !== 'price') report.add([...path, 'currency'], 'is for price alone');
  },
};

/** What is compared with another value is checked with that. */
function checkGiven(leaf: Compared, path: Path, report: Report): void {
  if (!leaf.value_of) checkComparison(leaf, path, report);
}

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
  const { at_least, at_most, count, days, within, window, since } = did;
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
  if (since !== undefined && scope === 'segment') report.add([...path, 'since'], 'must be absent: there is no trigger');
  return checkEvents(did, path, report);
}

function checkOccurrence({ where, ...asked }: Occurrence, path: Path, report: Report): number {
  onlyOne({ within: asked.within, window: asked.window }, path, report);
  const leaves = checkEvents(asked, path, report);
  return leaves + (where ? checkFilter(where, [...path, 'where'], report) : 0);
}

function checkSequence({ followed_by: followedBy, ...first }: Sequence, path: Path, report: Report): number {
  onlyOne({ within: first.within, window: first.window }, path, report);
  return checkEvents(first, path, report) + checkEvents(followedBy, [...path, 'followed_by'], report);
}

/** Returns how many leaves the filter of the events has. */
function checkEvents({ within, window, filter }: EventsAsked, path: Path, report: Report): number {
  if (within !== undefined) report.duration([...path, 'within'], within, report.limits.history);
  if (window) checkWindow(window, [...path, 'window'], report);
  return filter ? checkFilter(filter, [...path, 'filter'], report) : 0;
}

function checkFilter(filter: Condition, path: Path, report: Report): number {
  const leaves = checkCondition(filter, path, 'event', report);
  const { leavesOfFilter = leaves } = report.limits;
  if (leaves > leavesOfFilter) report.add(path, `has more than ${leavesOfFilter} comparisons`);
  return leaves;
}

function checkJoined({ joined, for: length }: Joined, path: Path, scope: Scope, report: Report): void {
  onlyOne({ joined, for: length }, path, report);
  if (joined) checkWindow(joined, [...path, 'joined'], report);
  if (length !== undefined) report.duration([...path, 'for'], length, report.limits.history);
  if (scope !== 'profile') return;
  const given = joined ? 'joined' : length === undefined ? undefined : 'for';
  if (given) report.add([...path, given], 'is not allowed here: nothing tells of the passing of time');
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the store has it is for the database to say. */
export function checkId(id: string, path: Path, report: Report): void {
  if (!UUID.test(id)) report.add(path, 'must be an id');
}
