import type { Context } from 'liquidjs';
import { type Formats, renderingOf } from '../rendering.ts';
import { plain, toCount, toText } from '../values.ts';
import { formatTime } from './strftime.ts';

/** A formatter takes long to make, and little to use. */
const MAX_FORMATTERS = 500;
const formatters = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

function kept<Formatter extends Intl.NumberFormat | Intl.DateTimeFormat>(
  key: string,
  make: () => Formatter,
): Formatter {
  const known = formatters.get(key);
  if (known) return known as Formatter;
  if (formatters.size >= MAX_FORMATTERS) formatters.clear();
  const made = make();
  formatters.set(key, made);
  return made;
}

type Filter = { context: Context };

const formatsOf = (filter: Filter): Formats => renderingOf(filter.context).formats;

const STYLES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  short: { dateStyle: 'short' },
  medium: { dateStyle: 'medium' },
  long: { dateStyle: 'long' },
  full: { dateStyle: 'full' },
  time: { timeStyle: 'short' },
  datetime: { dateStyle: 'medium', timeStyle: 'short' },
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?$/i;
/** Seconds from which on they would not be a time that can be formatted. */
const MAX_SECONDS = 8.64e12;

/** A time, or a day, which is the same everywhere; undefined for what is neither. */
function readTime(value: unknown, now: string): { time: number; isDay: boolean } | undefined {
  const given = plain(value);
  if (typeof given === 'number')
    return Math.abs(given) < MAX_SECONDS ? { time: given * 1000, isDay: false } : undefined;
  const text = toText(given).trim();
  if (text === 'now' || text === 'today') return { time: Date.parse(now), isDay: false };
  const isDay = DAY.test(text);
  if (!isDay && !TIME.test(text)) return undefined;
  // One without an offset is taken for UTC, whatever the time zone of the process.
  const time = Date.parse(isDay || /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text.slice(10)) ? text : `${text}Z`);
  return Number.isNaN(time) ? undefined : { time, isDay };
}

/** Writes a time by a style, as `long`, or by the codes of strftime, as `%d.%m.%Y`; what is no time stays. */
function date(this: Filter, value: unknown, format: unknown = 'long'): string {
  const { locale, timeZone: zone, now } = formatsOf(this);
  const read = readTime(value, now);
  if (!read) return toText(value);
  const timeZone = read.isDay ? 'UTC' : zone;
  const name = toText(format);
  const formatter = (options: Intl.DateTimeFormatOptions) =>
    kept(`date ${locale} ${timeZone} ${JSON.stringify(options)}`, () => dateFormat(locale, { ...options, timeZone }));
  const style = Object.hasOwn(STYLES, name) ? STYLES[name] : undefined;
  return style ? formatter(style).format(read.time) : formatTime(name, read.time, formatter);
}

/** One whose time zone is not known writes UTC. */
function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, options);
  } catch {
    return new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  }
}

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return kept(`number ${locale} ${JSON.stringify(options)}`, () => {
    try {
      return new Intl.NumberFormat(locale, options);
    } catch {
      return new Intl.NumberFormat('en', options);
    }
  });
}

/** Undefined for what is no number. */
function readNumber(value: unknown): number | undefined {
  const text = toText(value).trim();
  if (text === '' || text.length > 100) return undefined;
  return Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** Writes an amount with its currency, or with two decimals where none is named; what is no number stays. */
function money(this: Filter, value: unknown, currency?: unknown): string {
  const number = readNumber(value);
  if (number === undefined) return toText(value);
  const code = toText(currency);
  const options: Intl.NumberFormatOptions = /^[A-Za-z]{3}$/.test(code)
    ? { style: 'currency', currency: code }
    : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  return numberFormat(formatsOf(this).locale, options).format(number);
}

/** Writes a number as the language does, with so many decimals where it is said. */
function number(this: Filter, value: unknown, decimals?: unknown): string {
  const given = readNumber(value);
  if (given === undefined) return toText(value);
  const digits = Math.max(0, Math.min(10, toCount(decimals)));
  const options = decimals === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return numberFormat(formatsOf(this).locale, options).format(given);
}

export const FORMAT_FILTERS = { date, money, number };
