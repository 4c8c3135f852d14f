import { addDays, type Day, daysBetween, isDay, startOfMonth, yearBefore } from './days.ts';

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
      return { first: startOfMonth(today, -1), last: addDays(startOfMonth(today), -1) };
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

/** As many days before, or the same ones of the year before. */
export function comparedDays({ first, last }: Days, comparison: Exclude<Comparison, 'none'>): Days {
  if (comparison === 'previous_year') return { first: yearBefore(first), last: yearBefore(last) };
  const back = -daysBetween(first, last);
  return { first: addDays(first, back), last: addDays(last, back) };
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
