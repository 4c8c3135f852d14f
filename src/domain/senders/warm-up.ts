import { sql } from 'kysely';
import { invalid } from '../service-error.ts';

/** How many messages a sender may send on its first day, twice as many on the next, and so on until it may send all that it can. */
export interface WarmUp {
  first: number;
  /** What a day is to come to; from then on it limits nothing. */
  target: number;
}

/** The same, and how far it is. */
export interface WarmingUp extends WarmUp {
  /** Days before this one on which it has sent anything but tests: on others nobody gets used to it. */
  days: number;
}

/** Throws `validation_error` for a target that is no more than the first day. */
export function checkWarmUp({ first, target }: WarmUp): void {
  if (target > first) return;
  throw invalid({ path: ['warm_up', 'target_per_day'], problem: 'must be more than first_per_day' });
}

/** Messages of the day after so many; null for any number. */
export function limitOfDay({ first, target }: WarmUp, days: number): number | null {
  const limit = first * 2 ** days;
  return limit < target ? limit : null;
}

/** Days with messages until it limits nothing any more. */
export function daysLeft({ first, target, days }: WarmingUp): number {
  return Math.max(0, Math.ceil(Math.log2(target / first)) - days);
}

/** Of a row of `sender s`: what it has sent today, with tests. */
export const SENT_TODAY = sql`(case when s.day = current_date then s.sent_today else 0 end)`;

/** Of a row of `sender s`: the days before this one. */
export const WARM_UP_DAYS = sql`(s.warm_up_days + case
  when s.day < current_date and s.sent_today > case when s.tested_on = s.day then s.tests else 0 end then 1 else 0
end)`;

const OF_LADDER = sql`s.warm_up_first * power(2, least(${WARM_UP_DAYS}, 30))`;

/** Of a row of `sender s`: messages that it may send today, by its own limit and its ladder; null for any number. */
export const LIMIT_TODAY = sql`least(s.max_per_day, case
  when s.warm_up_first is not null and ${OF_LADDER} < s.warm_up_target then (${OF_LADDER})::int
end)`;

/** Of a row of `sender s`: whether it may send more today. */
export const MAY_SEND_TODAY = sql`(
  s.day is distinct from current_date or coalesce(s.sent_today < ${LIMIT_TODAY}, true)
)`;
