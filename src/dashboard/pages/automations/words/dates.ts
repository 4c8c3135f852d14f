import { durationWords } from '../../../components/durations.ts';
import { nameWords } from '../../../conditions/name-words.ts';
import type { DelayStep } from '../../../definitions.ts';

type UntilDate = NonNullable<DelayStep['until_date']>;

/** What becomes of a run whose date is past. */
export const IF_PAST = {
  skip: 'go on elsewhere',
  continue_now: 'go on at once',
  exit: 'end the run',
} as const;

/** “Wait until 3 days before profile.attributes.trial_ends_at at 09:00, or end the run if that is past”. */
export function untilDateWords({ date, offset = '', at, if_past }: UntilDate): string {
  const isBefore = offset.startsWith('-');
  const beside = offset === '' ? '' : `${durationWords(offset.replace('-', ''))} ${isBefore ? 'before' : 'after'} `;
  const time = at === undefined ? '' : ` at ${at || '…'}`;
  return `Wait until ${beside}${nameWords(date.from)}${time}, or ${IF_PAST[if_past] ?? if_past} if that is past`;
}
