import { type RawBuilder, sql } from 'kysely';
import { LOWEST_ID } from '../../ids/uuid-v7.ts';
import { sweepSegments } from '../sweeps/segments.ts';
import { alongKey, byProfile, byProfileWithin, deleteSome, type Rules, rewind, stepsOf } from '../sweeps/step.ts';
import { UNTOUCHED } from '../sweeps/untouched.ts';
import type { Erasing } from './erasure.ts';
import { sweepAddresses, sweepSoftBounces } from './steps/addresses.ts';
import { sweepAttribution } from './steps/attribution.ts';
import { sweepCoupons } from './steps/coupons.ts';
import { sweepEvents } from './steps/events.ts';
import { sweepHistory } from './steps/history.ts';
import { sweepLists } from './steps/lists.ts';
import { sweepMessages } from './steps/messages.ts';
import { sweepOrderNotes, sweepOrders } from './steps/orders.ts';
import { sweepRuns } from './steps/runs.ts';

/** In `days` from now, as whatever is there now is gone then. */
const inDays = (days: number) => () => sql`now() + make_interval(days => ${days}::int)`;

/**
 * A rule for each table; a table without one does not compile, and fails a test. They are gone through in this order: what
 * may write into others comes before these.
 */
export const RULES: Rules<Erasing> = {
  profile: { goesAtOnce: true },
  profile_identifier: {
    // A check of spellings may add some for whom it has just read.
    isSweptBy: (tx, { storeId, profileId }) =>
      deleteSome(
        tx,
        'profile_identifier',
        storeId,
        sql`profile_id = ${profileId} and profile_id > ${sql.lit(LOWEST_ID)}`,
      ),
  },
  profile_update: { goesAtOnce: true },
  profile_alias: { goesAtOnce: true },
  profile_merge: { goesAtOnce: true },

  automation_run: { isSweptBy: sweepRuns },
  automation_step: { goesWith: 'automation_run' },
  webhook_delivery: { goesWith: 'automation_run' },
  webhook_attempt: { goesWith: 'webhook_delivery' },
  automation_enrolment: { isSweptBy: byProfileWithin('automation_enrolment', 'automation_id', 'automation') },
  automation_skip: { isSweptBy: byProfileWithin('automation_skip', 'automation_id', 'automation') },
  automation_date: { isSweptBy: byProfileWithin('automation_date', 'automation_id', 'automation') },

  consent: { isSweptBy: byProfile('consent') },
  consent_list: { isSweptBy: byProfile('consent_list') },
  consent_change: { isSweptBy: byProfile('consent_change') },
  list_confirmation: { isSweptBy: byProfile('list_confirmation') },
  list_member: { isSweptBy: sweepLists },

  segment_member: { isSweptBy: sweepSegments },
  segment_due: { isSweptBy: byProfile('segment_due') },
  segment_postponed: { isSweptBy: byProfile('segment_postponed') },
  segment_set_aside: { isSweptBy: byProfileWithin('segment_set_aside', 'segment_id', 'segment') },
  segment_change: { isSweptBy: byProfile('segment_change') },

  message: { isSweptBy: sweepMessages },
  outbox_message: { goesWith: 'message' },
  message_hit: { goesWith: 'message' },
  feedback: { goesWith: 'message' },
  counted_webhook: { isSweptBy: byProfile('counted_webhook') },
  message_touch: { isSweptBy: byProfile('message_touch') },
  attribution: { isSweptBy: sweepAttribution },
  store_order: { isSweptBy: sweepOrders },
  order_note: { isSweptBy: sweepOrderNotes },
  // Gone with the orders, but for what is written late.
  customer_value: { isSweptBy: byProfile('customer_value') },
  soft_bounce: { isSweptBy: sweepSoftBounces },
  suppressed_address: { isSweptBy: sweepAddresses },

  // It stays given out, to nobody.
  coupon_code: { isSweptBy: sweepCoupons },

  event: { isSweptBy: sweepEvents },
  idempotency_key: { goesWith: 'event' },
  item_activity: { isSweptBy: byProfile('item_activity') },
  catalog_subscription: { isSweptBy: byProfile('catalog_subscription') },
  profile_history: { isSweptBy: sweepHistory },
  profile_note: { isSweptBy: byProfile('profile_note') },
  profile_change: { isSweptBy: alongKey('profile_change', ['id'], ({ profileId }) => sql`profile_id = ${profileId}`) },
  identifier_split: { isSweptBy: alongKey('identifier_split', ['kind', 'value'], isTheirSplit) },
  kept_answer: { isSweptBy: alongKey('kept_answer', ['operation', 'key'], namesThem) },
  // Who has merged somebody, and when, stays; whom does not.
  audit_entry: { isSweptBy: alongKey('audit_entry', ['id'], isTheirEntry, () => sql`target = null`) },
  // Of one that has failed: for whom.
  segment: {
    isSweptBy: alongKey(
      'segment',
      ['id'],
      ({ profileId }) => sql`coalesce(strpos(failure, ${profileId}) > 0, false)`,
      ({ profileId }) => sql`failure = replace(failure, ${profileId}, 'of a customer who was erased')`,
    ),
  },

  // Where they stand among the customers of the store.
  campaign: { isSweptBy: rewind('campaign', 'reached') },
  segment_build: { isSweptBy: rewind('segment_build', 'after_profile_id') },
  segment_store: { isSweptBy: rewind('segment_store', 'compare_first', 'compare_after') },
  automation_date_fill: { isSweptBy: rewind('automation_date_fill', 'after_profile_id') },
  automation_member_fill: { isSweptBy: rewind('automation_member_fill', 'after_profile_id') },
  automation_occurrence: { isSweptBy: rewind('automation_occurrence', 'after_profile_id') },
  list_deletion: { isSweptBy: rewind('list_deletion', 'reached') },

  // Ids of nobody from now on.
  addition: { expires: inDays(7) },
  hook_proof: { expires: inDays(2) },
  import_profile: { expires: ofImports },
  // What is processed later is refused, item by item.
  import_chunk: { expires: ofImports },
  import_error: { expires: ofImports },
  customer_import_part: { expires: ofImports },

  erasure: { keeps: 'counts, and keyed hashes of identifiers' },
  suppressed_identifier: { keeps: 'keyed hashes of identifiers' },
  suppression_key: { keeps: 'the key of these' },
  ...UNTOUCHED,
};

/** What is swept, in this order. */
export const STEPS = stepsOf(RULES);

function ofImports(storeId: string): RawBuilder<unknown> {
  return sql`(
    select max(expires_at) from (
      select expires_at from import_job where store_id = ${storeId}
      union all
      select coalesce(expires_at, now() + interval '14 days') from customer_import where store_id = ${storeId}
    ) one
  )`;
}

function isTheirEntry({ profileId }: Erasing): RawBuilder<unknown> {
  return sql`coalesce(lower(target) = ${profileId}, false)`;
}

function isTheirSplit({ profileId, identifiers }: Erasing): RawBuilder<unknown> {
  const theirs = sql`strpos(owners::text, ${profileId}) > 0`;
  if (identifiers.length === 0) return theirs;
  const named = sql.join(identifiers.map(({ kind, value }) => sql`(${kind}, ${value})`));
  return sql`(${theirs} or (kind, value) in (${named}))`;
}

/** By a value that is a string of its own in the JSON: a short `external_id` is part of many others. */
function namesThem({ profileId, identifiers }: Erasing): RawBuilder<unknown> {
  const values = identifiers.map(({ value }) => value);
  const quoted = [profileId, ...values].map((value) => sql`strpos(body::text, ${JSON.stringify(value)}) > 0`);
  return sql`(${sql.join([...quoted, ...values.map((value) => sql`key = ${value}`)], sql` or `)})`;
}
