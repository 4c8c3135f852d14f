import { addDays, type Day, daysBetween, endOfMonth, isDay, monthsBefore, startOfMonth } from './days.ts';

/** Days of the store's time zone, both included. */
export interface Days {
  first: Day;
  last: Day;
}

export const PRESETS = {
  today: 'Today',
  '7_days': '7 days',
  '30_days': '30 days',
  '90_days': '90 days',
  this_month: 'This month',
  last_month: 'Last month',
  this_year: 'This year',
  '12_months': '12 months',
  custom: 'Custom',
} as const;
export type Preset = keyof typeof PRESETS;

export const COMPARISONS = {
  none: 'Compared with nothing',
  previous_period: 'With the days before',
  previous_year: 'With the year before',
} as const;
export type Comparison = keyof typeof COMPARISONS;
/** As reports take it. */
export type Compare = Exclude<Comparison, 'none'> | 'previous_month';

/** Days of a range at most, as reports take them. */
const MAX_DAYS = 366;

export const isPreset = (name: string | undefined): name is Preset => name !== undefined && name in PRESETS;
export const isComparison = (name: string | undefined): name is Comparison => name !== undefined && name in COMPARISONS;

/** The days of a preset on a day. */
export function daysOf(preset: Exclude<Preset, 'custom'>, today: Day): Days {
  switch (preset) {
    case 'today':
      return { first: today, last: today };
    case '7_days':
      return { first: addDays(today, -6), last: today };
    case '30_days':
      return { first: addDays(today, -29), last: today };
    case '90_days':
      return { first: addDays(today, -89), last: today };
    case 'this_month':
      return { first: startOfMonth(today), last: today };
    case 'last_month':
      return { first: startOfMonth(today, -1), last: endOfMonth(startOfMonth(today, -1)) };
    case 'this_year':
      return { first: `${today.slice(0, 4)}-01-01`, last: today };
    case '12_months':
      return { first: startOfMonth(today, -11), last: today };
  }
}

/** What somebody has entered, as far as it is a range: in order, not after today, and no longer than reports take. */
export function customDays({ from = '', to = '' }: { from?: string; to?: string }, today: Day): Days {
  const last = isDay(to) && to < today ? to : today;
  const earliest = addDays(last, 1 - MAX_DAYS);
  const asked = isDay(from) ? from : addDays(last, -29);
  const first = asked > last ? last : asked;
  return { first: first < earliest ? earliest : first, last };
}

/** What comes before the days of a preset: before a month, the month. */
export function compareOf(comparison: Comparison, preset: Preset): Compare | undefined {
  if (comparison === 'none') return undefined;
  return comparison === 'previous_period' && isMonth(preset) ? 'previous_month' : comparison;
}

/** The choices of a comparison, as they are called beside a preset. */
export const comparisonsOf = (preset: Preset): Record<Comparison, string> =>
  isMonth(preset) ? { ...COMPARISONS, previous_period: 'With the month before' } : COMPARISONS;

const isMonth = (preset: Preset): boolean => preset === 'this_month' || preset === 'last_month';

/** As many days before, or the same ones of the month or the year before; a month that is over has the whole one before it. */
export function comparedDays({ first, last }: Days, compare: Compare, today: Day): Days {
  if (compare === 'previous_period') {
    const back = -daysBetween(first, last);
    return { first: addDays(first, back), last: addDays(last, back) };
  }
  const months = compare === 'previous_month' ? 1 : 12;
  const before = monthsBefore(last, months);
  const isWhole = compare === 'previous_month' && last < today && last === endOfMonth(last);
  return { first: monthsBefore(first, months), last: isWhole ? endOfMonth(before) : before };
}

/** What a chart of a range is divided into, so that its bars can be told apart. */
export function intervalOf({ first, last }: Days): 'hour' | 'day' | 'week' | 'month' {
  const days = daysBetween(first, last);
  if (days === 1) return 'hour';
  if (days <= 92) return 'day';
  return days <= 184 ? 'week' : 'month';
}

/** `1–30 Nov 2026`, as the viewer writes it. */
export function daysWords({ first, last }: Days): string {
  return words.formatRange(new Date(first), new Date(last));
}

const words = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
