import type { StoreData } from '../db/store-data.ts';
import type { ComparedRange } from '../domain/orders/ranges.ts';
import { expectTimeZone } from '../domain/reading/intervals.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import { zoned } from '../domain/time/local.ts';
import { dateOf, toDays } from './days.ts';

/** Days of a time zone. */
export interface ZonedDays {
  timeZone: string;
  /** `2026-11-20`; the second one is included. */
  first: string;
  last: string;
  /** When the first one begins, and the last one ends. */
  from: Date;
  to: Date;
}

/** The same of that of a store. */
export interface StoreDays extends ZonedDays {
  /** Of the store; null if it has none. */
  currency: string | null;
}

interface DaysQuery {
  from?: string;
  to?: string;
}

/**
 * Converts validated dates, by default the last thirty days until today. Throws `validation_error` unless they are a range of days
 * that can be counted, of at most 366, or `most`.
 */
export async function toStoreDays(
  { shared }: StoreData,
  storeId: string,
  query: DaysQuery,
  most?: number,
): Promise<StoreDays> {
  const { timeZone, currency } = await readStoreSettings(shared, storeId);
  return { ...daysIn(timeZone ?? 'UTC', query, most), currency };
}

/** The same of a time zone that is asked for; throws `validation_error` if there is none of that name, too. */
export function toDaysIn(timeZone: string, query: DaysQuery): ZonedDays {
  expectTimeZone(timeZone);
  return daysIn(timeZone, query);
}

/** Days, with what they are compared with. */
export function toCompared({ timeZone, first, last }: ZonedDays, compare: ComparedRange['compare']): ComparedRange {
  const days = { first: Temporal.PlainDate.from(first), last: Temporal.PlainDate.from(last) };
  return { ...days, zone: timeZone, now: Date.now(), compare };
}

function daysIn(timeZone: string, { from, to }: DaysQuery, most?: number): ZonedDays {
  const last = to ?? zoned(Date.now(), timeZone).toPlainDate().toString();
  const days = toDays({ ...(from !== undefined && { from }), to: last }, most);
  const startOf = (day: number) =>
    new Date(Temporal.PlainDate.from(dateOf(day)).toZonedDateTime(timeZone).epochMilliseconds);
  return {
    timeZone,
    first: dateOf(days.first),
    last: dateOf(days.last),
    from: startOf(days.first),
    to: startOf(days.last + 1),
  };
}
