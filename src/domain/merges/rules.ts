import { sql } from 'kysely';
import { sweepSegments } from '../sweeps/segments.ts';
import { alongKey, byProfile, byProfileWithin, type Rules, rewind, stepsOf } from '../sweeps/step.ts';
import { UNTOUCHED } from '../sweeps/untouched.ts';
import { sweepConsent } from './consent.ts';
import { moveEvents } from './events.ts';
import { sweepLists } from './lists.ts';
import type { Merging } from './merge.ts';
import { sweepMessages } from './messages.ts';
import { moveOrders } from './orders.ts';
import { sweepEnrolments, sweepRuns } from './runs.ts';
import { addActivity, move, moveCoupons, moveIdentifiers, moveSubscriptions, moveWithin } from './steps.ts';

const LEADS = 'the id, which leads to the customer who stays';
const BESIDE = 'what belongs to a row of another table';

/**
 * What becomes of the rows of each table when a customer is merged into another; see `RULES` of erasures. They are gone through in
 * this order: what may write into others comes before these.
 */
export const RULES: Rules<Merging> = {
  profile: { goesAtOnce: true },
  profile_identifier: { isSweptBy: moveIdentifiers },
  profile_update: { goesAtOnce: true },
  profile_alias: { goesAtOnce: true },
  profile_merge: { goesAtOnce: true },

  automation_run: { isSweptBy: sweepRuns },
  automation_enrolment: { isSweptBy: sweepEnrolments },
  automation_skip: { isSweptBy: moveWithin('automation_skip', 'automation_id', 'automation') },
  // That of the customer who stays is worked out anew.
  automation_date: { isSweptBy: byProfileWithin('automation_date', 'automation_id', 'automation') },
  automation_step: { keeps: BESIDE },
  webhook_delivery: { keeps: 'what was sent, as it was sent' },
  webhook_attempt: { keeps: BESIDE },

  consent: { isSweptBy: sweepConsent },
  consent_list: { goesWith: 'consent' },
  consent_change: { isSweptBy: move('consent_change') },
  list_confirmation: { isSweptBy: move('list_confirmation') },
  list_member: { isSweptBy: sweepLists },

  // The customer who stays is evaluated anew.
  segment_member: { isSweptBy: sweepSegments },
  segment_due: { isSweptBy: byProfile('segment_due') },
  segment_postponed: { isSweptBy: byProfile('segment_postponed') },
  segment_set_aside: { isSweptBy: byProfileWithin('segment_set_aside', 'segment_id', 'segment') },
  segment_change: { isSweptBy: move('segment_change') },

  message: { isSweptBy: sweepMessages },
  outbox_message: { keeps: BESIDE },
  message_hit: { keeps: BESIDE },
  feedback: { keeps: BESIDE },
  counted_webhook: { isSweptBy: move('counted_webhook') },
  message_touch: { isSweptBy: move('message_touch') },
  attribution: { isSweptBy: move('attribution') },
  order_note: { isSweptBy: move('order_note') },
  store_order: { isSweptBy: moveOrders },
  customer_value: { goesWith: 'store_order' },
  soft_bounce: { keeps: 'what an address did not take' },
  suppressed_address: { keeps: 'addresses' },

  coupon_code: { isSweptBy: moveCoupons },

  event: { isSweptBy: moveEvents },
  idempotency_key: { goesWith: 'event' },
  item_activity: { isSweptBy: addActivity },
  catalog_subscription: { isSweptBy: moveSubscriptions },
  profile_history: { isSweptBy: move('profile_history') },
  profile_note: { isSweptBy: move('profile_note') },
  profile_change: { keeps: LEADS },
  // Both spellings are those of one customer now; a split that is none any more is not found by the next check.
  identifier_split: {
    isSweptBy: alongKey<Merging>(
      'identifier_split',
      ['kind', 'value'],
      ({ profileId }) => sql`strpos(owners::text, ${profileId}) > 0`,
      ({ profileId, winnerId }) => sql`owners = replace(owners::text, ${profileId}::text, ${winnerId}::text)::json`,
    ),
  },
  kept_answer: { keeps: 'what was answered' },
  audit_entry: { keeps: LEADS },
  segment: { keeps: LEADS },

  campaign: { isSweptBy: rewind('campaign', 'reached') },
  segment_build: { isSweptBy: rewind('segment_build', 'after_profile_id') },
  segment_store: { isSweptBy: rewind('segment_store', 'compare_first', 'compare_after') },
  automation_date_fill: { isSweptBy: rewind('automation_date_fill', 'after_profile_id') },
  automation_member_fill: { isSweptBy: rewind('automation_member_fill', 'after_profile_id') },
  automation_occurrence: { isSweptBy: rewind('automation_occurrence', 'after_profile_id') },
  list_deletion: { isSweptBy: rewind('list_deletion', 'reached') },

  addition: { keeps: LEADS },
  hook_proof: { keeps: BESIDE },
  import_profile: { keeps: LEADS },
  import_chunk: { keeps: LEADS },
  import_error: { keeps: 'what was sent' },
  customer_import_part: { keeps: 'what was sent' },
  erasure: { keeps: 'who is gone already' },
  suppressed_identifier: { keeps: 'who is gone already' },
  suppression_key: { keeps: 'who is gone already' },
  ...UNTOUCHED,
};

/** What is swept, in this order. */
export const STEPS = stepsOf(RULES);
