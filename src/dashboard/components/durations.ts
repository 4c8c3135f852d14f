import { count } from './numbers.ts';

const DURATION = /^-?P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const PARTS = ['week', 'day', 'hour', 'minute', 'second'] as const;

export const UNITS = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days', w: 'weeks' } as const;
export type Unit = keyof typeof UNITS;

/** A duration of ISO 8601 in words (`P1DT12H`: 1 day 12 hours), without its sign; what is none stays as it is. */
export function durationWords(duration: string): string {
  const parts = DURATION.exec(duration)?.slice(1);
  if (!parts) return duration || '…';
  const words = parts.flatMap((amount, n) =>
    Number(amount ?? 0) === 0 ? [] : [plural(Number(amount), PARTS[n] ?? '')],
  );
  return words.join(' ') || 'no time';
}

export function plural(amount: number, noun: string): string {
  return `${count(amount)} ${noun}${amount === 1 ? '' : 's'}`;
}

/** The number and the unit of `P30D`; undefined of a duration that has several. */
export function spanParts(span: string): { number: string; unit: Unit } | undefined {
  const [, days, time = days] = /^P(?:(\d+[DW])|T(\d+[HMS]))$/.exec(span) ?? [];
  return time === undefined ? undefined : { number: time.slice(0, -1), unit: time.slice(-1).toLowerCase() as Unit };
}

/** `P30D` of 30 and days. */
export function spanOf(number: string, unit: Unit): string {
  return `P${'smh'.includes(unit) ? 'T' : ''}${number}${unit.toUpperCase()}`;
}

/** A number of seconds in the largest unit of which it is two at least: `2.5 days`. */
export function secondsWords(seconds: number): string {
  const [unit, size] = SIZES.find(([, of]) => seconds >= 2 * of) ?? ['second', 1];
  const style = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(undefined, style).format(seconds / size);
}

const SIZES = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
