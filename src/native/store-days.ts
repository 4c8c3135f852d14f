import type { StoreData } from '../db/store-data.ts';
import { readStoreSettings } from '../domain/store-settings.ts';
import { zoned } from '../domain/time/local.ts';
import { dateOf, toDays } from './days.ts';

/** Days of the time zone of a store. */
export interface StoreDays {
  timeZone: string;
  /** Of the store; null if it has none. */
  currency: string | null;
  /** `2026-11-20`; the second one is included. */
  first: string;
  last: string;
  /** When the first one begins, and the last one ends. */
  from: Date;
  to: Date;
}

/**
 * Converts validated dates, by default the last thirty days until today. Throws `validation_error` unless they are a range of days
 * that can be counted, of at most 366, or `most`.
 */
export async function toStoreDays(
  { shared }: StoreData,
  storeId: string,
  query: { from?: string; to?: string },
  most?: number,
): Promise<StoreDays> {
  const { timeZone: zone, currency } = await readStoreSettings(shared, storeId);
  const timeZone = zone ?? 'UTC';
  const days = toDays({ to: zoned(Date.now(), timeZone).toPlainDate().toString(), ...query }, most);
  const [first, last] = [dateOf(days.first), dateOf(days.last)];
  const startOf = (date: string, later = 0) =>
    new Date(Temporal.PlainDate.from(date).add({ days: later }).toZonedDateTime(timeZone).epochMilliseconds);
  return { timeZone, currency, first, last, from: startOf(first), to: startOf(last, 1) };
}
