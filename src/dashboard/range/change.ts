import { count } from '../components/numbers.ts';

const share = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** What there was before, and how much that has changed: `1,200 (+8.3%)`. */
export function changeOf(now: number, before: number): string {
  const percent = percentOf(now, before);
  return percent === undefined ? count(before) : `${count(before)} (${percent})`;
}

/** The same in percent alone, where there was something before; undefined where it is not compared. */
export function changeIn(now: number, before: number | undefined): string | undefined {
  return before === undefined ? undefined : (percentOf(now, before) ?? 'nothing to compare with');
}

/** How much something has changed: `+8.3%`; undefined where there was nothing before. */
function percentOf(now: number, before: number): string | undefined {
  return before === 0 ? undefined : share.format((now - before) / before);
}
