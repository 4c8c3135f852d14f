import { durationWords } from '../components/durations.ts';
import type { DateTest } from '../definitions.ts';

/** Where a date may lie, as people say it. */
export const RELATIONS = {
  last: 'is in the last',
  next: 'is in the next',
  ago: 'is longer ago than',
  ahead: 'is further ahead than',
  before: 'is before',
  after: 'is after',
  today: 'comes again today',
  in: 'comes again in',
  within: 'comes again in the next',
} as const;

export interface DateRelation {
  kind: keyof typeof RELATIONS;
  /** Days as a duration, or a date. */
  value: string;
}

export function dateRelationOf({ last, next, before, after, anniversary }: DateTest): DateRelation {
  if (last !== undefined) return { kind: 'last', value: last };
  if (next !== undefined) return { kind: 'next', value: next };
  if (before !== undefined)
    return before.startsWith('-P') ? { kind: 'ago', value: before.slice(1) } : { kind: 'before', value: before };
  if (after !== undefined)
    return after.startsWith('P') ? { kind: 'ahead', value: after } : { kind: 'after', value: after };
  if (anniversary?.next !== undefined) return { kind: 'within', value: anniversary.next };
  const ahead = anniversary?.in ?? 'P0D';
  return ahead === 'P0D' ? { kind: 'today', value: ahead } : { kind: 'in', value: ahead };
}

export function relationWith(
  { last: _, next: __, before: ___, after: ____, anniversary: _____, ...test }: DateTest,
  { kind, value }: DateRelation,
): DateTest {
  switch (kind) {
    case 'last':
      return { ...test, last: value };
    case 'next':
      return { ...test, next: value };
    case 'ago':
      return { ...test, before: `-${value}` };
    case 'ahead':
      return { ...test, after: value };
    case 'before':
      return { ...test, before: value };
    case 'after':
      return { ...test, after: value };
    case 'today':
      return { ...test, anniversary: { in: 'P0D' } };
    case 'in':
      return { ...test, anniversary: { in: value } };
    case 'within':
      return { ...test, anniversary: { next: value } };
  }
}

/** “is in the next 7 days (Europe/Berlin)”. */
export function dateWords(test: DateTest, isNegated: boolean): string {
  const { kind, value } = dateRelationOf(test);
  const relation = isNegated ? NEGATED[kind] : RELATIONS[kind];
  const isDate = kind === 'before' || kind === 'after';
  const rest = kind === 'today' ? '' : ` ${isDate && !/^-?P/.test(value) ? value || '…' : daysWords(value)}`;
  return `${relation}${rest} (${zoneWords(test)})`;
}

const NEGATED: Record<DateRelation['kind'], string> = {
  last: 'is not in the last',
  next: 'is not in the next',
  ago: 'is not longer ago than',
  ahead: 'is not further ahead than',
  before: 'is not before',
  after: 'is not after',
  today: 'does not come again today',
  in: 'does not come again in',
  within: 'does not come again in the next',
};

function daysWords(duration: string): string {
  if (duration === 'P0D') return 'today';
  return duration.startsWith('-') ? `${durationWords(duration.slice(1))} ago` : durationWords(duration);
}

function zoneWords({ time_zone = 'UTC' }: DateTest): string {
  return typeof time_zone === 'string' ? time_zone : `the customer’s time zone, or ${time_zone.default}`;
}

/** Whether the fields of the form say all of it. */
export function isDateShownWhole(test: DateTest): boolean {
  const known = ['attribute', 'property', 'last', 'next', 'before', 'after', 'anniversary', 'time_zone'];
  const { time_zone, anniversary, before = '', after = '' } = test;
  const spans = [test.last, test.next, test.before, test.after, anniversary].filter((one) => one !== undefined);
  if (!Object.keys(test).every((name) => known.includes(name)) || spans.length !== 1) return false;
  if (time_zone !== undefined && typeof time_zone !== 'string') return false;
  if ((test.attribute === undefined) === (test.property === undefined)) return false;
  if (before.startsWith('P') || after.startsWith('-P')) return false;
  if (anniversary && Object.keys(anniversary).length !== 1) return false;
  return !anniversary?.in?.startsWith('-');
}
