import { sql } from 'kysely';
import { uuids } from '../../../db/binary-arrays.ts';
import { NOBODY } from '../../../ids/nobody.ts';
import { endRunsOfErased } from '../../automations/run-actions.ts';
import type { Step } from '../../sweeps/step.ts';
import type { Erasing } from '../erasure.ts';

/** Runs that one transaction sweeps: each may have dozens of entries and deliveries. */
const RUNS = 50;

/**
 * Ends runs that have begun meanwhile, and empties all: what they captured, and what they did and why. They stay, so that
 * automations count whom they have taken. What they sent to endpoints goes, whether it has been sent or not.
 */
export const sweepRuns: Step<Erasing> = async (tx, { storeId, profileId }, _after, { versions }) => {
  await endRunsOfErased(tx, storeId, profileId, RUNS, versions);
  const { rows } = await sql<{ id: string }>`
    select id from automation_run where store_id = ${storeId} and profile_id = ${profileId}
    order by id limit ${RUNS}`.execute(tx);
  if (rows.length === 0) return { counts: {}, next: null };
  const ids = sql`any(${uuids(rows.map(({ id }) => id))}::uuid[])`;
  const { rows: swept } = await sql<{ deliveries: number; attempts: number; steps: number }>`
    with delivery as (
      delete from webhook_delivery where store_id = ${storeId} and run_id = ${ids} returning id
    ), attempt as (
      delete from webhook_attempt
      where store_id = ${storeId} and delivery_id in (
        select id from webhook_delivery where store_id = ${storeId} and run_id = ${ids})
      returning 1
    ), step as (
      delete from automation_step where store_id = ${storeId} and run_id = ${ids} returning 1
    ), run as (
      update automation_run
      set profile_id = ${NOBODY}::uuid, key = null, enrolment_key = null, trigger_id = 'erased:' || id, waiting = null,
        coupon = null, results = null, consumed = '{}', captured = '{"event":null,"properties":{},"omitted":[]}',
        origin = jsonb_build_object('id', 'erased:' || id, 'eventId', null, 'type', origin->'type', 'at', origin->'at',
          'receivedAt', origin->'receivedAt')
      where store_id = ${storeId} and id = ${ids}
    )
    select (select count(*)::int from delivery) as deliveries, (select count(*)::int from attempt) as attempts,
      (select count(*)::int from step) as steps`.execute(tx);
  const [{ deliveries, attempts, steps }] = swept as [(typeof swept)[number]];
  const counts = { automation_run: rows.length, automation_step: steps };
  return {
    counts: { ...counts, webhook_delivery: deliveries, webhook_attempt: attempts },
    next: rows.length === RUNS ? 'more' : null,
  };
};
