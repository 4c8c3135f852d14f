import { expectLength } from '../bounds.ts';

type Formatter = (options: Intl.DateTimeFormatOptions) => Intl.DateTimeFormat;

/** Characters of a format. */
const MAX_FORMAT = 200;

/** A part of a time in words or digits. */
interface Part {
  options: Intl.DateTimeFormatOptions;
  type: Intl.DateTimeFormatPartTypes;
  /** Digits that it is filled up to. */
  width?: number;
}

const PARTS: Readonly<Record<string, Part>> = {
  a: { options: { weekday: 'short' }, type: 'weekday' },
  A: { options: { weekday: 'long' }, type: 'weekday' },
  b: { options: { month: 'short' }, type: 'month' },
  B: { options: { month: 'long', day: 'numeric' }, type: 'month' },
  d: { options: { day: 'numeric' }, type: 'day', width: 2 },
  e: { options: { day: 'numeric' }, type: 'day' },
  H: { options: { hour: 'numeric', hourCycle: 'h23' }, type: 'hour', width: 2 },
  I: { options: { hour: 'numeric', hourCycle: 'h12' }, type: 'hour', width: 2 },
  l: { options: { hour: 'numeric', hourCycle: 'h12' }, type: 'hour' },
  m: { options: { month: 'numeric' }, type: 'month', width: 2 },
  M: { options: { minute: 'numeric', hour: 'numeric' }, type: 'minute', width: 2 },
  p: { options: { hour: 'numeric', hourCycle: 'h12' }, type: 'dayPeriod' },
  S: { options: { second: 'numeric', minute: 'numeric' }, type: 'second', width: 2 },
  y: { options: { year: '2-digit' }, type: 'year', width: 2 },
  Y: { options: { year: 'numeric' }, type: 'year' },
  z: { options: { timeZoneName: 'longOffset' }, type: 'timeZoneName' },
  Z: { options: { timeZoneName: 'short' }, type: 'timeZoneName' },
};

const LONGER: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  D: '%m/%d/%y',
  T: '%H:%M:%S',
  R: '%H:%M',
  h: '%b',
  k: '%-H',
};

/** Writes a time by the codes of strftime, in the words of the language; `%-d` has no zero before it. */
export function formatTime(format: string, time: number, formatter: Formatter): string {
  expectLength(format.length > MAX_FORMAT ? Number.POSITIVE_INFINITY : 0);
  const whole = format.replace(/%([FDTRhk])/g, (_, code: string) => LONGER[code] as string);
  return whole.replace(/%(-?)([A-Za-z%])/g, (written, dash: string, code: string) => {
    if (code === '%') return '%';
    if (code === 's') return String(Math.floor(time / 1000));
    const isLower = code === 'P';
    const part = PARTS[isLower ? 'p' : code];
    if (!part) return written;
    const text = partOf(part, time, formatter);
    if (isLower) return text.toLowerCase();
    if (code === 'z') return text.replace(/^GMT/, '').replace(':', '') || '+0000';
    return dash === '' ? text.padStart(part.width ?? 0, '0') : text.replace(/^0(?=.)/, '');
  });
}

function partOf({ options, type }: Part, time: number, formatter: Formatter): string {
  const parts = formatter(options).formatToParts(time);
  return parts.find((part) => part.type === type)?.value ?? '';
}
