import { parseTime } from '../../event-time.ts';

/** In which order dates have year, month and day. */
export const DATE_TYPES = ['date_ymd', 'date_dmy', 'date_mdy'] as const;
export type DateType = (typeof DATE_TYPES)[number];

export function isDateType(type: string): type is DateType {
  return (DATE_TYPES as readonly string[]).includes(type);
}

const DATE = String.raw`(?:(\d{4})([-/.])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/.]) ?(\d{1,2})\6 ?(\d{4}))`;
const TIME = String.raw`(?:[Tt ] ?(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)? ?([Zz]|[+-]\d\d:?\d\d)?)?`;
const PATTERN = new RegExp(`^${DATE}${TIME}$`);

/** A date that only looks like one in that order by accident: nobody writes the month first with dots. */
const WITH_DOTS = /^\d{1,2}\./;

/**
 * Returns a date as `2026-03-04` and, with a time of day, as `2026-03-04T10:15:00.000Z`, which is UTC unless it says
 * otherwise. Undefined for a text that is no date in that order.
 */
export function readDate(type: DateType, given: string): string | undefined {
  const match = PATTERN.exec(given.trim());
  if (!match || (match[1] !== undefined) !== (type === 'date_ymd')) return undefined;
  const [first = '', second = ''] = [match[5], match[7]];
  const [year, month, day] =
    type === 'date_ymd'
      ? [match[1], match[3], match[4]]
      : [match[8], ...(type === 'date_dmy' ? [second, first] : [first, second])];
  const date = `${year}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const [hour, minute, seconds = '00', fraction = '0', offset = 'Z'] = match.slice(9);
  const zone = offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset;
  const time = parseTime(`${date}T${(hour ?? '00').padStart(2, '0')}:${minute ?? '00'}:${seconds}.${fraction}${zone}`);
  return time && (hour === undefined ? date : time.toISOString());
}

/** Returns the only order in which all values are dates; undefined if there is none, or they may be in either. */
export function evidentOrder(values: readonly string[]): DateType | undefined {
  const fits = DATE_TYPES.filter((type) => values.every((value) => readDate(type, value) !== undefined));
  const [first, second] = fits;
  if (second === undefined) return first;
  return values.some((value) => WITH_DOTS.test(value)) ? 'date_dmy' : undefined;
}
