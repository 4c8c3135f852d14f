import { leavesOf, type Path } from '../../conditions/tree.ts';
import { EARLIEST, LATEST } from '../../reading/cursor.ts';
import type { Violation } from '../../service-error.ts';
import { isTimeZone } from '../../time/local.ts';
import type { Definition, EventCondition, ValueTest, Window } from './definition.ts';
import { MAX_SPAN_MS, parseSpan, spanMs } from './windows.ts';

export const MAX_DEPTH = 5;
export const MAX_CONDITIONS = 50;

/** Returns what is wrong with a definition beyond its shape, which the contract has checked. Paths begin at its root. */
export function problemsOf(definition: Definition): Violation[] {
  const found: Violation[] = [];
  const leaves = [...leavesOf(definition)];
  if (leaves.length > MAX_CONDITIONS) report([], `has more than ${MAX_CONDITIONS} conditions`);
  if (leaves.some(({ depth }) => depth > MAX_DEPTH)) report([], `is nested deeper than ${MAX_DEPTH} levels`);
  for (const { leaf, path } of leaves) {
    const problems: Violation[] =
      'event' in leaf
        ? inEvent(leaf.event, [...path, 'event'])
        : 'attribute' in leaf
          ? inTest(leaf.attribute, [...path, 'attribute'])
          : 'profile' in leaf
            ? inWindow(leaf.profile.window, [...path, 'profile', 'window'])
            : [];
    found.push(...problems, ...inTexts(leaf, path));
  }
  return found;

  function report(path: Path, problem: string): void {
    found.push({ path, problem });
  }
}

function inEvent({ where = [], measure, property, op, value, window }: EventCondition, path: Path): Violation[] {
  const found = where.flatMap((test, i) => inTest(test, [...path, 'where', i]));
  if (measure === 'sum' && property === undefined) {
    found.push({ path: [...path, 'property'], problem: 'is required for a sum' });
  }
  if (measure !== 'sum' && property !== undefined) {
    found.push({ path: [...path, 'property'], problem: 'is allowed only for a sum' });
  }
  if ((op === undefined) !== (value === undefined)) {
    const missing = op === undefined ? 'op' : 'value';
    found.push({ path: [...path, missing], problem: 'is required: op and value go together' });
  }
  if (measure === 'sum' && op === undefined && value === undefined) {
    found.push({ path: [...path, 'op'], problem: 'is required for a sum' });
  }
  return window ? [...found, ...inWindow(window, [...path, 'window'])] : found;
}

function inTest({ op, value }: ValueTest, path: Path): Violation[] {
  const problem = problemOfValue(op, value);
  return problem === undefined ? [] : [{ path: [...path, 'value'], problem }];
}

function problemOfValue(op: ValueTest['op'], value: ValueTest['value']): string | undefined {
  switch (op) {
    case 'exists':
    case 'not_exists':
      return value === undefined ? undefined : `is not allowed for ${op}`;
    case 'in':
    case 'not_in':
      return Array.isArray(value) && value.length > 0 ? undefined : `must be a list that is not empty for ${op}`;
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return typeof value === 'number' ? undefined : `must be a number for ${op}`;
    case 'starts_with':
      return typeof value === 'string' ? undefined : `must be a text for ${op}`;
    default:
      return value === undefined || Array.isArray(value)
        ? `must be a text, a number or a boolean for ${op}`
        : undefined;
  }
}

function inWindow(window: Window, path: Path): Violation[] {
  if ('ago' in window) {
    const [min, max] = [spanMs(window.ago.min) ?? 0, spanMs(window.ago.max) ?? 0];
    if (max > MAX_SPAN_MS) return [{ path: [...path, 'ago', 'max'], problem: TOO_LONG }];
    return min < max ? [] : [{ path: [...path, 'ago', 'max'], problem: 'must be longer than min' }];
  }
  if ('last' in window) {
    const ms = spanMs(window.last) ?? 0;
    if (ms === 0) return [{ path: [...path, 'last'], problem: 'must be longer than nothing' }];
    if (ms > MAX_SPAN_MS) return [{ path: [...path, 'last'], problem: TOO_LONG }];
    if (!window.calendar) {
      if (window.time_zone === undefined) return [];
      return [{ path: [...path, 'time_zone'], problem: 'is allowed only with calendar' }];
    }
    if (parseSpan(window.last)?.ms !== 0) {
      return [{ path: [...path, 'last'], problem: 'must be days or weeks with calendar' }];
    }
    if (window.time_zone === undefined || isTimeZone(window.time_zone)) return [];
    return [{ path: [...path, 'time_zone'], problem: 'is not the name of a time zone' }];
  }
  const { from, to } = window;
  const found: Violation[] = [];
  for (const [name, time] of Object.entries({ from, to })) {
    if (time === undefined) continue;
    const ms = Date.parse(time);
    if (ms > EARLIEST.getTime() && ms < LATEST.getTime()) continue;
    found.push({ path: [...path, name], problem: 'is not a time from the year 1 to 9998' });
  }
  if (found.length === 0 && to !== undefined && Date.parse(from) >= Date.parse(to)) {
    found.push({ path: [...path, 'to'], problem: 'must be later than from' });
  }
  return found;
}

const TOO_LONG = 'is longer than ten years';

/** Texts that Postgres can't compare with: no stored value has them either. */
function* inTexts(value: unknown, path: Path): Generator<Violation> {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      yield { path, problem: 'contains a NUL character or a lone surrogate' };
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      yield* inTexts(part, [...path, Array.isArray(value) ? Number(key) : key]);
    }
  }
}
