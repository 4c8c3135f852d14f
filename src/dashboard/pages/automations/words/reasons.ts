import type {
  AutomationPublication,
  AutomationStatus,
  EndReason,
  RunStatus,
  SkipReason,
} from '../../../../client/index.ts';
import { wordsOf } from '../../../components/words-of.ts';

export const STATUS_COLORS: Readonly<Record<AutomationStatus, string>> = {
  draft: 'gray',
  live: 'green',
  paused: 'yellow',
  draining: 'orange',
  archived: 'gray',
};
export const RUN_COLORS: Readonly<Record<RunStatus, string>> = { active: 'green', ended: 'gray', failed: 'red' };

export const IN_FLIGHT_WORDS: Readonly<Record<NonNullable<AutomationPublication['in_flight']>, string>> = {
  keep: 'earlier runs stay on their version',
  move: 'earlier runs move to it',
  exit: 'earlier runs end',
};

const END_WORDS: Readonly<Record<EndReason, string>> = {
  completed: 'came to the end',
  exit_step: 'came to an exit',
  exit_event: 'an event ended it',
  goal_reached: 'it reached its goal',
  exit_condition: 'an exit condition held',
  restarted: 'another run took its place',
  version_replaced: 'a new version ended it',
  archived: 'the automation was archived',
  overdue: 'it was due during a pause',
  requested: 'somebody ended it',
  chain_too_wide: 'too many events had followed from one',
  profile_erased: 'the customer was erased',
  merged: 'the customer was merged with another, who had an older run',
  delivery_failed: 'a message was not received',
  message_failed: 'an e-mail was not sent',
  no_coupon: 'there was no coupon code for the customer',
  date_past: 'the date was past',
  no_date: 'there was no date to wait for',
};
const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  not_live: 'the automation was not live',
  backfill: 'the event was backfilled',
  from_client: 'a page or an app sent it, and the trigger takes nothing from those',
  cause: 'the segment changed by imported history or by a build',
  filter: 'the filter of the trigger does not fit',
  not_member: 'the customer was not in the list or segment then',
  no_members_known: 'the members of the segment were not known then',
  stopped: 'the automation was stopped before it came to the customer',
  date_moved: 'the date changed before it was due',
  future: 'the event is in the future',
  late: 'it was too long ago',
  paused: 'the automation was paused',
  no_key: 'the event has no key',
  entry_condition: 'the entry condition did not hold',
  history_too_long: 'a condition would have had to read too much history',
  reentry: 'the re-entry rule: the customer was in it already',
  too_many_runs: 'the customer is in too many runs at once',
  chain_too_long: 'too many automations led to one another',
  chain_too_wide: 'too many runs had followed from one event',
};
/** Why a step can fail, beside codes that speak for themselves. */
const FAILURE_WORDS: Readonly<Record<string, string>> = {
  history_too_long: 'a condition would have had to read more than 10,000 events of a type',
  endpoint_deleted: 'its webhook endpoint is deleted',
  coupon_pool_deleted: 'its coupon pool is deleted',
  coupon_pool_empty: 'its coupon pool had no code for three days',
  coupon_pool_expired: 'its coupon pool has expired',
  list_deleted: 'its list is deleted',
  list_full: 'its list is full',
  queue_full: 'too many messages wait for its webhook endpoint',
  too_large: 'what it sets or sends would be larger than 256 KB',
  message_too_large: 'its message would be larger than 256 KB',
};

export const endWords = (reason: string): string => wordsOf({ ...FAILURE_WORDS, ...END_WORDS }, reason);
export const skipWords = (reason: string): string => wordsOf(SKIP_WORDS, reason);
