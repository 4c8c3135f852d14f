import type { Table } from '../sweeps/step.ts';
import { UNTOUCHED } from '../sweeps/untouched.ts';
import type { Section } from './section.ts';
import { LISTS, SEGMENT_CHANGES, SEGMENTS } from './sections/audiences.ts';
import { DATES, DELIVERIES, ENROLMENTS, RUNS, SKIPS, STEPS } from './sections/automations.ts';
import { ATTRIBUTED_ORDERS, COUPONS, ITEM_ACTIVITY, ITEM_SUBSCRIPTIONS, ORDERS } from './sections/commerce.ts';
import * as customer from './sections/customer.ts';
import * as messages from './sections/messages.ts';

/** What an export has of a table. */
export type ExportRule =
  | { section: Section }
  /** It is told with the rows of another table. */
  | { goesWith: Table }
  /** There is nothing of a customer in it, or nothing that is not told otherwise. */
  | { keeps: string };

const TOLD = 'what is told by other tables';
const PLACES = 'how far something has come';
const AS_SENT = 'what was sent in by the store, before it was stored; it expires';

/**
 * A rule for each table, as erasures have: a table without one does not compile, and fails a test. What is exported is in this
 * order.
 */
export const RULES: Readonly<Record<Table, ExportRule>> = {
  profile: { section: customer.PROFILE },
  profile_identifier: { section: customer.IDENTIFIERS },
  profile_merge: { section: customer.MERGES },
  profile_alias: { goesWith: 'profile_merge' },
  profile_update: { keeps: TOLD },
  profile_change: { section: customer.ATTRIBUTE_CHANGES },
  profile_history: { section: customer.HISTORY },
  profile_note: { section: customer.NOTES },
  identifier_split: { keeps: 'that others have an address in another spelling' },

  consent: { section: customer.CONSENT },
  consent_list: { section: customer.CONSENT_OF_LISTS },
  consent_change: { section: customer.CONSENT_CHANGES },
  list_confirmation: { section: customer.CONFIRMATIONS },

  list_member: { section: LISTS },
  segment_member: { section: SEGMENTS },
  segment_change: { section: SEGMENT_CHANGES },
  segment_due: { keeps: PLACES },
  segment_postponed: { keeps: PLACES },
  segment_set_aside: { keeps: PLACES },

  event: { section: customer.EVENTS },
  idempotency_key: { goesWith: 'event' },
  item_activity: { section: ITEM_ACTIVITY },
  catalog_subscription: { section: ITEM_SUBSCRIPTIONS },
  attribution: { section: ATTRIBUTED_ORDERS },
  store_order: { section: ORDERS },
  customer_value: { goesWith: 'store_order' },
  order_note: { goesWith: 'event' },
  coupon_code: { section: COUPONS },

  message: { section: messages.MESSAGES },
  outbox_message: { section: messages.CONTENTS },
  message_hit: { section: messages.HITS },
  counted_webhook: { section: messages.COUNTED_WEBHOOKS },
  message_touch: { section: messages.TOUCHES },
  feedback: { section: messages.FEEDBACK },
  soft_bounce: { section: messages.SOFT_BOUNCES },
  suppressed_address: { section: messages.SUPPRESSED_ADDRESSES },

  automation_run: { section: RUNS },
  automation_step: { section: STEPS },
  automation_enrolment: { section: ENROLMENTS },
  automation_skip: { section: SKIPS },
  automation_date: { section: DATES },
  webhook_delivery: { section: DELIVERIES },
  webhook_attempt: { goesWith: 'webhook_delivery' },

  kept_answer: { keeps: 'what requests were answered, for 30 days' },
  audit_entry: { keeps: 'who of the store has asked for what change' },
  segment: { keeps: 'what the store has set, and why one has failed' },
  addition: { keeps: TOLD },
  hook_proof: { keeps: 'what requests of providers were proven by' },
  import_profile: { keeps: TOLD },
  import_chunk: { keeps: AS_SENT },
  import_error: { keeps: AS_SENT },
  customer_import_part: { keeps: AS_SENT },
  campaign: { keeps: PLACES },
  segment_build: { keeps: PLACES },
  segment_store: { keeps: PLACES },
  automation_date_fill: { keeps: PLACES },
  automation_member_fill: { keeps: PLACES },
  automation_occurrence: { keeps: PLACES },
  list_deletion: { keeps: PLACES },
  erasure: { keeps: 'who is gone' },
  suppressed_identifier: { keeps: 'who is gone' },
  suppression_key: { keeps: 'who is gone' },
  ...UNTOUCHED,
};

/** What is exported, in this order. */
export const SECTIONS: readonly Section[] = Object.values(RULES).flatMap((rule) =>
  'section' in rule ? rule.section : [],
);
