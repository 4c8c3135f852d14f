import { count } from '../components/numbers.ts';

const share = new Intl.NumberFormat(undefined, {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** What there was before, and how much that has changed: `1,200 (+8.3%)`. */
export function changeOf(now: number, before: number): string {
  return before === 0 ? count(before) : `${count(before)} (${share.format((now - before) / before)})`;
}
