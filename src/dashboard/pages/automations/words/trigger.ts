import type { UnknownTrigger } from '../../../../client/index.ts';
import { durationWords } from '../../../components/durations.ts';
import { wordsOf } from '../../../components/words-of.ts';
import { nameWords } from '../../../conditions/name-words.ts';
import { clause, clientWords, comparisonWords, filterWords } from '../../../conditions/sentence.ts';
import type {
  AutomationDefinition,
  AutomationTrigger,
  EventMatch,
  Reentry,
  WaitForEvent,
} from '../../../definitions.ts';
import { catalogWords } from './catalog-trigger.ts';
import { scheduleWords } from './schedule.ts';
import { CHANNEL_WORDS } from './steps.ts';

export const TRIGGER_NAMES: Readonly<Record<AutomationTrigger['type'], string>> = {
  event: 'Event',
  profile_change: 'Profile change',
  date: 'Date',
  segment_entry: 'Segment entered',
  segment_exit: 'Segment left',
  list_joined: 'List joined',
  list_left: 'List left',
  consent_given: 'Consent given',
  consent_withdrawn: 'Consent withdrawn',
  catalog: 'Item of the catalog',
  schedule: 'Schedule',
  manual: 'Request',
};

/** What starts a run, as a sentence. */
export function triggerWords(trigger: AutomationTrigger): string {
  switch (trigger.type) {
    case 'event':
      return `${trigger.event_type} happens${clientWords(trigger)}${trigger.filter ? `, if ${clause(trigger.filter)}` : ''}`;
    case 'profile_change': {
      const from = trigger.from ? `, from one that ${comparisonWords(trigger.from)}` : '';
      const to = trigger.to ? `, to one that ${comparisonWords(trigger.to)}` : '';
      return `${trigger.attribute} of the customer changes${from}${to}${clientWords(trigger)}`;
    }
    case 'date':
      return `${offsetWords(trigger.offset)} the date in ${trigger.attribute || '…'}, ${trigger.repeat === 'yearly' ? 'every year' : 'once'}, at ${trigger.at || '…'}`;
    case 'segment_entry':
      return `the customer enters the segment ${trigger.segment || '…'}${trigger.include_members ? ', or is in it already' : ''}`;
    case 'segment_exit':
      return `the customer leaves the segment ${trigger.segment || '…'}`;
    case 'list_joined':
      return `the customer joins the list ${trigger.list || '…'}`;
    case 'list_left':
      return `the customer leaves the list ${trigger.list || '…'}`;
    case 'consent_given':
      return `the customer subscribes to ${CHANNEL_WORDS[trigger.channel]}${clientWords(trigger)}`;
    case 'consent_withdrawn':
      return `the customer unsubscribes from ${CHANNEL_WORDS[trigger.channel]}${clientWords(trigger)}`;
    case 'catalog':
      return catalogWords(trigger);
    case 'schedule':
      return scheduleWords(trigger);
    case 'manual':
      return 'a program or a person asks for it';
    default:
      return wordsOf({}, (trigger as UnknownTrigger).type);
  }
}

/** Which events a wait or an exit looks for. */
export function matchWords(match: EventMatch & Pick<WaitForEvent, 'of_step'>): string {
  const { event_type, match_key, filter, of_step } = match;
  const key = match_key ? ` with the same ${nameWords(match_key.property)}` : '';
  const message = of_step ? ` of the message of ${of_step}` : '';
  return `${event_type}${message}${key}${filter ? ` ${filterWords(filter)}` : ''}${clientWords(match)}`;
}

function offsetWords(offset: string | undefined): string {
  if (!offset || durationWords(offset) === 'no time') return 'on';
  return `${durationWords(offset)} ${offset.startsWith('-') ? 'before' : 'after'}`;
}

export const REENTRY_WORDS: Readonly<Record<Reentry['mode'], string>> = {
  once: 'once ever',
  one_at_a_time: 'one run at a time',
  restart: 'a new run ends the one before',
  every_time: 'every time',
};

/** The rules of a definition beside its trigger and its steps: name and words. */
export function ruleWords(definition: AutomationDefinition): [name: string, words: string][] {
  const { key, entry_condition, reentry, exit_on = [], goal, exit_when, time_zone, quiet_hours, trigger } = definition;
  const rules: [string, string | undefined][] = [
    ['Key', key && nameWords(key.property)],
    ['Enters if', entry_condition && clause(entry_condition)],
    ['Re-entry', reentryWords(reentry ?? usualReentry(trigger))],
    ['Maximum age', trigger.type === 'event' ? durationWords(trigger.max_age ?? 'P1D') : undefined],
    ['At most so late', trigger.type === 'schedule' ? durationWords(trigger.max_age ?? 'PT6H') : undefined],
    ['Ends with', exit_on.map(matchWords).join('; or ')],
    [
      'Goal',
      goal &&
        `${matchWords(goal)}, within ${durationWords(goal.within)} of its start${goal.on_reached === 'continue' ? '' : ', which ends the run'}`,
    ],
    ['Ends if', exit_when && `${clause(exit_when)}, before an action`],
    [
      'Time zone',
      time_zone &&
        [
          ...(time_zone.attribute ? [`of the customer (${nameWords(time_zone.attribute)}), else`] : []),
          time_zone.default,
        ].join(' '),
    ],
    [
      'Quiet hours',
      quiet_hours &&
        `${quiet_hours.from} to ${quiet_hours.to}: messages ${quiet_hours.then === 'wait' ? 'wait' : 'are left out'}`,
    ],
  ];
  return rules.filter((rule): rule is [string, string] => Boolean(rule[1]));
}

/** What holds where a definition says nothing. */
export function usualReentry({ type }: AutomationTrigger): Reentry {
  return type === 'catalog'
    ? { mode: 'one_at_a_time', per: 'key', min_interval: 'P7D' }
    : { mode: 'one_at_a_time', per: 'profile' };
}

function reentryWords(reentry: Reentry): string {
  const { mode, per, min_interval } = reentry;
  const interval = min_interval ? `, ${durationWords(min_interval)} apart at least` : '';
  return `${REENTRY_WORDS[mode]}, for each ${per === 'key' ? 'customer and key' : 'customer'}${interval}`;
}
