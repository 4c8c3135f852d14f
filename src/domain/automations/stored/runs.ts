import { type RawBuilder, sql } from 'kysely';
import { integers, jsonbs, jsons, texts, uuids } from '../../../db/binary-arrays.ts';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Captured, Origin, Run, Waiting } from '../core/machine/run.ts';

/** A run, and the automation that it is of. */
export interface StoredRun {
  automationId: string;
  run: Run;
}

/** A run as a query returns it. Times are milliseconds. */
export interface RunRow extends Omit<Run, 'trigger' | 'captured' | 'waiting' | 'consumed'> {
  automationId: string;
  origin: RawJson;
  captured: RawJson;
  waiting: RawJson | null;
  consumed: string;
}

/** Columns to select from `automation_run r` for a `RunRow`. */
export const RUN_COLUMNS = sql`
  r.id, r.automation_id as "automationId", r.version, r.profile_id as "profileId", r.key,
  r.enrolment_key as "enrolmentKey", r.origin, r.captured, r.depth, r.status, r.step_id as "stepId", r.seq,
  (extract(epoch from r.due_at) * 1000)::float8 as "dueAt", r.waiting, array_to_string(r.consumed, ',') as consumed,
  r.attempts, (extract(epoch from r.started_at) * 1000)::float8 as "startedAt",
  (extract(epoch from r.ended_at) * 1000)::float8 as "endedAt", r.reason`;

export function runFromRow({ automationId, origin, captured, waiting, consumed, ...row }: RunRow): StoredRun {
  const run: Run = {
    ...row,
    trigger: JSON.parse(origin.text) as Origin,
    captured: JSON.parse(captured.text) as Captured,
    waiting: waiting && (JSON.parse(waiting.text) as Waiting),
    consumed: consumed === '' ? [] : consumed.split(','),
  };
  return { automationId, run };
}

/** Returns the active runs of customers in automations, locked until the end of the transaction. */
export async function lockActiveRuns(
  tx: Sql,
  storeId: string,
  automationIds: readonly string[],
  profileIds: readonly string[],
): Promise<StoredRun[]> {
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS}
    from automation_run r
    where r.store_id = ${storeId} and r.status = 'active' and r.profile_id = any(${uuids(profileIds)}::uuid[])
      and r.automation_id = any(${uuids(automationIds)}::uuid[])
    order by r.id
    for update`.execute(tx);
  return rows.map(runFromRow);
}

/** Returns runs by their ids, whatever their status, locked until the end of the transaction. */
export async function lockRuns(tx: Sql, storeId: string, ids: readonly string[]): Promise<StoredRun[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS}
    from automation_run r
    where r.store_id = ${storeId} and r.id = any(${uuids(ids)}::uuid[])
    order by r.id
    for update`.execute(tx);
  return rows.map(runFromRow);
}

/** A trigger that has started a run already fails with a unique violation. */
export function insertRuns(storeId: string, runs: readonly StoredRun[]): RawBuilder<unknown> {
  const all = runs.map(({ run }) => run);
  return sql`
    insert into automation_run (
      store_id, id, automation_id, version, profile_id, key, enrolment_key, trigger_id, origin, captured, depth, status,
      step_id, seq, due_at, waiting, consumed, attempts, started_at, ended_at, reason)
    select ${storeId}::uuid, id, automation_id, version, profile_id, key, enrolment_key, trigger_id, origin, captured,
      depth, status, step_id, seq, due_at::timestamptz, waiting::jsonb, consumed::uuid[], attempts,
      started_at::timestamptz, ended_at::timestamptz, reason
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
      waiting = w.waiting::jsonb, consumed = w.consumed::uuid[], attempts = w.attempts,
      ended_at = w.ended_at::timestamptz, reason = w.reason
    from unnest(${uuids(all.map(({ id }) => id))}::uuid[], ${changing(all)}) as w (id, ${CHANGING})
    where r.store_id = ${storeId} and r.id = w.id`;
}

const CHANGING = sql`version, status, step_id, seq, due_at, waiting, consumed, attempts, ended_at, reason`;

function changing(runs: readonly Run[]): RawBuilder<unknown> {
  return sql`
    ${integers(runs.map(({ version }) => version))}::int[],
    ${texts(runs.map(({ status }) => status))}::text[],
    ${texts(runs.map(({ stepId }) => stepId))}::text[],
    ${integers(runs.map(({ seq }) => seq))}::int[],
    ${texts(runs.map(({ dueAt }) => timeText(dueAt)))}::text[],
    ${jsons(runs.map(({ waiting }) => waiting))}::json[],
    ${texts(runs.map(({ consumed }) => `{${consumed.join(',')}}`))}::text[],
    ${integers(runs.map(({ attempts }) => attempts))}::int[],
    ${texts(runs.map(({ endedAt }) => timeText(endedAt)))}::text[],
    ${texts(runs.map(({ reason }) => reason))}::text[]`;
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
