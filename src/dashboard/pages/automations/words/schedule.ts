import type { ScheduleTrigger } from '../../../definitions.ts';
import { WEEKDAYS } from './steps.ts';

/** When a schedule starts whom. */
export function scheduleWords(trigger: ScheduleTrigger): string {
  const { list, segment, at, time_zone } = trigger;
  const whose = segment === undefined ? `list ${list || '…'}` : `segment ${segment || '…'}`;
  const zone = time_zone ? ` in ${time_zone}` : ' by the clock of the store';
  return `${daysWords(trigger)} at ${at || '…'}${zone}, for each member of the ${whose}`;
}

function daysWords({ repeat, date, weekdays = [], day }: ScheduleTrigger): string {
  switch (repeat) {
    case 'once':
      return `on ${date || '…'}`;
    case 'daily':
      return 'every day';
    case 'weekly':
      return `every ${weekdays.map((one) => WEEKDAYS[one]).join(', ') || 'week'}`;
    case 'monthly':
      return day === 31 ? 'on the last day of every month' : `on day ${day ?? '…'} of every month`;
  }
}

/** What became of a time that has come. */
export const OCCURRENCE_WORDS: Readonly<Record<string, string>> = {
  under_way: 'members start',
  done: 'all members have had their turn',
  late: 'too late for who had not had their turn',
  paused: 'the automation was paused',
  stopped: 'the automation was stopped',
  no_members_known: 'the members of the segment were not known',
};
