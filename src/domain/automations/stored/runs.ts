import { type RawBuilder, sql } from 'kysely';
import { integers, jsonbs, jsons, texts, uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Captured, Origin, Run, RunCoupon, StepResults, Waiting } from '../core/machine/run.ts';

/** A run, and the automation that it is of. */
export interface StoredRun {
  automationId: string;
  run: Run;
}

/** A run as a query returns it. Times are milliseconds. */
export interface RunRow extends Omit<Run, 'trigger' | 'captured' | 'coupon' | 'results' | 'waiting' | 'consumed'> {
  automationId: string;
  origin: RawJson;
  captured: RawJson;
  coupon: RawJson | null;
  results: RawJson | null;
  waiting: RawJson | null;
  consumed: string;
}

/** Columns to select from `automation_run r` for a `RunRow`. */
export const RUN_COLUMNS = sql`
  r.id, r.automation_id as "automationId", r.version, r.profile_id as "profileId", r.key,
  r.enrolment_key as "enrolmentKey", r.origin, r.captured, r.coupon, r.results, r.depth, r.status, r.step_id as "stepId", r.seq,
  (extract(epoch from r.due_at) * 1000)::float8 as "dueAt", r.waiting, array_to_string(r.consumed, ',') as consumed,
  r.attempts, (extract(epoch from r.started_at) * 1000)::float8 as "startedAt",
  (extract(epoch from r.ended_at) * 1000)::float8 as "endedAt", r.reason,
  (extract(epoch from r.seen_at) * 1000)::float8 as "seenAt"`;

export function runFromRow({
  automationId,
  origin,
  captured,
  coupon,
  results,
  waiting,
  consumed,
  ...row
}: RunRow): StoredRun {
  const run: Run = {
    ...row,
    trigger: JSON.parse(origin.text) as Origin,
    captured: JSON.parse(captured.text) as Captured,
    coupon: coupon && (JSON.parse(coupon.text) as RunCoupon),
    results: results && (JSON.parse(results.text) as StepResults),
    waiting: waiting && (JSON.parse(waiting.text) as Waiting),
    consumed: consumed === '' ? [] : consumed.split(','),
  };
  return { automationId, run };
}

/** Who may be in which automation. */
export interface RunsRef {
  automationId: string;
  profileId: string;
}

/** Active runs of a customer in an automation that are looked at; so many are never started. */
const MAX_OF_CUSTOMER = 1_000;

/**
 * Returns the active runs of customers in automations, ordered by id and locked until the end of the transaction. Here
 * and below, a range of one value has the index read that is ordered by it: a planner with stale statistics may take the
 * other indexes for just as good.
 */
export async function lockActiveRuns(tx: Sql, storeId: string, refs: readonly RunsRef[]): Promise<StoredRun[]> {
  if (refs.length === 0) return [];
  const inOrder = refs.toSorted(
    (a, b) => compareTexts(a.automationId, b.automationId) || compareTexts(a.profileId, b.profileId),
  );
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS}
    from unnest(
      ${uuids(inOrder.map(({ automationId }) => automationId))}::uuid[],
      ${uuids(inOrder.map(({ profileId }) => profileId))}::uuid[]) as w (automation_id, profile_id)
    cross join lateral (
      select * from automation_run
      where store_id = ${storeId} and status = 'active'
        and ${exactly('profile_id', 'w.profile_id')}
        and ${exactly('automation_id', 'w.automation_id')}
      order by profile_id, automation_id
      limit ${sql.lit(MAX_OF_CUSTOMER)}
      for update
    ) r`.execute(tx);
  return rows.map(runFromRow).sort((a, b) => compareTexts(a.run.id, b.run.id));
}

/** Returns how many active runs customers in automations have, of those who have any. */
export async function countActiveRuns(
  db: Sql,
  storeId: string,
  refs: readonly RunsRef[],
): Promise<(RunsRef & { count: number })[]> {
  if (refs.length === 0) return [];
  const { rows } = await sql<RunsRef & { count: number }>`
    select w.automation_id as "automationId", w.profile_id as "profileId", r.count
    from unnest(
      ${uuids(refs.map(({ automationId }) => automationId))}::uuid[],
      ${uuids(refs.map(({ profileId }) => profileId))}::uuid[]) as w (automation_id, profile_id)
    cross join lateral (
      select count(*)::int as count
      from (
        select from automation_run
        where store_id = ${storeId} and status = 'active'
          and ${exactly('profile_id', 'w.profile_id')}
          and ${exactly('automation_id', 'w.automation_id')}
        order by profile_id, automation_id
        limit ${sql.lit(MAX_OF_CUSTOMER)}
      ) as active
    ) r
    where r.count > 0`.execute(db);
  return rows;
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Returns runs by their ids, whatever their status, locked until the end of the transaction. */
export async function lockRuns(tx: Sql, storeId: string, ids: readonly string[]): Promise<StoredRun[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS}
    from unnest(${uuids(ids.toSorted())}::uuid[]) as w (id)
    cross join lateral (
      select * from automation_run
      where store_id = ${storeId} and ${exactly('id', 'w.id')}
      order by id
      limit 1
      for update
    ) r`.execute(tx);
  return rows.map(runFromRow);
}

/** A trigger that has started a run already fails with a unique violation. */
export function insertRuns(storeId: string, runs: readonly StoredRun[]): RawBuilder<unknown> {
  const all = runs.map(({ run }) => run);
  return sql`
    insert into automation_run (
      store_id, id, automation_id, version, profile_id, key, enrolment_key, trigger_id, origin, captured, depth, status,
      step_id, seq, due_at, waiting, coupon, results, consumed, attempts, started_at, ended_at, reason, seen_at)
    select ${storeId}::uuid, id, automation_id, version, profile_id, key, enrolment_key, trigger_id, origin, captured,
      depth, status, step_id, seq, due_at::timestamptz, waiting::jsonb, coupon::jsonb, results::jsonb, consumed::uuid[], attempts,
      started_at::timestamptz, ended_at::timestamptz, reason, seen_at::timestamptz
    from unnest(
      ${uuids(all.map(({ id }) => id))}::uuid[],
      ${uuids(runs.map(({ automationId }) => automationId))}::uuid[],
      ${uuids(all.map(({ profileId }) => profileId))}::uuid[],
      ${texts(all.map(({ key }) => key))}::text[],
      ${texts(all.map(({ enrolmentKey }) => enrolmentKey))}::text[],
      ${texts(all.map(({ trigger }) => trigger.id))}::text[],
      ${jsonbs(all.map(({ trigger }) => trigger))}::jsonb[],
      ${jsonbs(all.map(({ captured }) => captured))}::jsonb[],
      ${integers(all.map(({ depth }) => depth))}::int[],
      ${texts(all.map(({ startedAt }) => timeText(startedAt)))}::text[],
      ${changing(all)}
    ) as r (
      id, automation_id, profile_id, key, enrolment_key, trigger_id, origin, captured, depth, started_at, ${CHANGING})`;
}

/** Writes runs that the transaction has locked. */
export function updateRuns(storeId: string, runs: readonly StoredRun[]): RawBuilder<unknown> {
  const all = runs.map(({ run }) => run);
  return sql`
    update automation_run r
    set version = w.version, status = w.status, step_id = w.step_id, seq = w.seq, due_at = w.due_at::timestamptz,
      waiting = w.waiting::jsonb, coupon = w.coupon::jsonb, results = w.results::jsonb, consumed = w.consumed::uuid[], attempts = w.attempts,
      ended_at = w.ended_at::timestamptz, reason = w.reason, seen_at = w.seen_at::timestamptz
    from unnest(${uuids(all.map(({ id }) => id))}::uuid[], ${changing(all)}) as w (id, ${CHANGING})
    cross join lateral (
      select ctid from automation_run
      where store_id = ${storeId} and ${exactly('id', 'w.id')}
      order by id
      limit 1
    ) as found
    where r.store_id = ${storeId} and r.ctid = found.ctid`;
}

const CHANGING = sql`version, status, step_id, seq, due_at, waiting, coupon, results, consumed, attempts, ended_at, reason, seen_at`;

function changing(runs: readonly Run[]): RawBuilder<unknown> {
  return sql`
    ${integers(runs.map(({ version }) => version))}::int[],
    ${texts(runs.map(({ status }) => status))}::text[],
    ${texts(runs.map(({ stepId }) => stepId))}::text[],
    ${integers(runs.map(({ seq }) => seq))}::int[],
    ${texts(runs.map(({ dueAt }) => timeText(dueAt)))}::text[],
    ${jsons(runs.map(({ waiting }) => waiting))}::json[],
    ${jsons(runs.map(({ coupon }) => coupon))}::json[],
    ${jsons(runs.map(({ results }) => results))}::json[],
    ${texts(runs.map(({ consumed }) => `{${consumed.join(',')}}`))}::text[],
    ${integers(runs.map(({ attempts }) => attempts))}::int[],
    ${texts(runs.map(({ endedAt }) => timeText(endedAt)))}::text[],
    ${texts(runs.map(({ reason }) => reason))}::text[],
    ${texts(runs.map(({ seenAt }) => timeText(seenAt)))}::text[]`;
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
