import { isTimeZone } from '../time/local.ts';
import { checkName } from './check-name.ts';
import { onlyOne } from './check-window.ts';
import { OPERATORS_OF_LETTERS, type Operator } from './comparison.ts';
import type { Compared, EventsAsked, ValueOfEvents } from './condition.ts';
import type { Report } from './report.ts';
import type { Scope } from './scope.ts';
import type { Path } from './tree.ts';
import { OPERATORS_OF_VALUES } from './value-of.ts';

/** Where there are none. */
const NO_CUSTOMER: ReadonlySet<Scope> = new Set(['item', 'event']);
const NO_EVENT: ReadonlySet<Scope> = new Set(['profile', 'profile and history', 'without event', 'segment']);
const NO_HISTORY: ReadonlySet<Scope> = new Set(['item', 'event', 'profile']);
const OF_TEXTS: ReadonlySet<Operator> = new Set(['starts_with', 'ends_with', 'before', 'after']);

interface Checking {
  scope: Scope;
  report: Report;
  /** Returns how many leaves the filter of the events has. */
  checkEvents: (asked: EventsAsked, path: Path, report: Report) => number;
}

/** Checks a comparison with another value. Returns how many leaves are within it. */
export function checkValueOf(leaf: Compared, path: Path, checking: Checking): number {
  const { op, value, ignore_case, value_of: other = {} } = leaf;
  const { scope, report } = checking;
  const place = [...path, 'value_of'];
  if (value !== undefined) report.add([...path, 'value'], 'must be absent beside value_of');
  if (!OPERATORS_OF_VALUES.has(op)) report.add(place, `must be absent with ${op}`);
  if (ignore_case && !OPERATORS_OF_LETTERS.has(op)) {
    report.addUnlessUnfinished([...path, 'ignore_case'], `must be absent: ${op} compares no texts`, ignore_case);
  }
  const { attribute, property, did } = other;
  if (attribute === undefined && property === undefined && !did) {
    report.add(place, 'needs one of attribute, property and did');
  }
  onlyOne({ attribute, property, did }, place, report);
  if (attribute !== undefined) {
    checkName(attribute, [...place, 'attribute'], report);
    if (NO_CUSTOMER.has(scope)) report.add([...place, 'attribute'], 'is not allowed here: there is no customer');
  }
  if (property !== undefined) {
    checkName(property, [...place, 'property'], report);
    if (NO_EVENT.has(scope)) report.add([...place, 'property'], 'is not allowed here: there is no event');
  }
  if (!did) return 0;
  if (NO_HISTORY.has(scope)) report.add([...place, 'did'], 'is not allowed here: history is not looked up');
  return checkEventsValue(leaf, did, [...place, 'did'], checking);
}

/** Checks what events come to, as one side of a comparison. Returns how many leaves their filter has. */
export function checkEventsValue(
  { op }: Compared,
  did: ValueOfEvents,
  path: Path,
  { report, checkEvents }: Checking,
): number {
  const { measure, property, time_zone, within, window } = did;
  onlyOne({ within, window }, path, report);
  if (OF_TEXTS.has(op) && measure !== 'first' && measure !== 'last') {
    report.add([...path, 'measure'], `is a number, which ${op} does not compare`);
  }
  const takesProperty = measure !== 'count' && measure !== 'days';
  if (!takesProperty && property !== undefined) report.add([...path, 'property'], `must be absent with ${measure}`);
  if (takesProperty && property === undefined) report.add([...path, 'property'], `is needed with ${measure}`);
  if (takesProperty && property !== undefined) checkName(property, [...path, 'property'], report);
  if (time_zone !== undefined && measure !== 'days') report.add([...path, 'time_zone'], 'is allowed only with days');
  if (time_zone !== undefined && !isTimeZone(time_zone)) {
    report.add([...path, 'time_zone'], 'is not the name of a time zone');
  }
  return checkEvents(did, path, report);
}
