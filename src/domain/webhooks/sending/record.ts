import { sql } from 'kysely';
import { integers, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { applyDeliveries } from '../../automations/run-actions.ts';
import type { VersionCache } from '../../automations/stored/version-cache.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import type { AttemptResult } from '../deliveries/attempt.ts';
import { KEPT_ATTEMPTS } from '../deliveries/deliveries.ts';
import type { ClaimedDelivery } from './claim.ts';
import { type Health, healthAfter } from './health.ts';
import { type Observed, observedAttempt } from './observed.ts';
import { type Outcome, outcomeOf } from './outcome.ts';

/** What has come of a delivery that was taken: of an attempt, or none where it had expired. */
export interface Settled {
  delivery: ClaimedDelivery;
  /** Milliseconds. */
  at: number;
  result: AttemptResult | undefined;
}

/** How long the recording may wait for a run that others hold: there are few connections, and other deliveries wait too. */
const LOCK_TIMEOUT = '300ms';

/**
 * Records what has come of deliveries, for each that nobody else has taken since, and what it means for their endpoint;
 * and tells the runs that wait for it. All in one transaction. Returns what was observed.
 */
export async function recordSettled(
  db: Sql,
  storeId: string,
  endpointId: string,
  settled: readonly Settled[],
  versions: VersionCache,
): Promise<Observed> {
  const now = Date.now();
  const outcomes = settled.map(
    ({ delivery, result }): Outcome =>
      result ? outcomeOf(delivery, result, now, Math.random()) : { status: 'expired', dueAt: null },
  );
  const results = settled.flatMap(({ result }) => result ?? []);
  const answered = new Map(settled.map(({ delivery, result }) => [delivery.id, result]));
  const ended = await retryConflicts(db, () =>
    db.transaction().execute(async (tx) => {
      const rows = await writeOutcomes(tx, storeId, settled, outcomes);
      const awaited = rows.filter(({ isAwaited }) => isAwaited);
      if (awaited.length > 0) await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(tx);
      await applyDeliveries(
        tx,
        storeId,
        awaited.map(({ id, runId, seq, result }) => ({ runId, seq, result, ...answerOf(answered.get(id)) })),
        versions,
      );
      await writeHealth(tx, storeId, endpointId, results, now);
      return rows;
    }),
  );
  return { attempts: results.map(observedAttempt), outcomes: ended.map(({ result }) => result) };
}

/** What the run is told of the last answer. */
function answerOf(result: AttemptResult | undefined) {
  return result ? { status: result.status, answer: result.answer } : {};
}

interface EndedRow {
  id: string;
  isAwaited: boolean;
  runId: string;
  seq: number;
  result: 'delivered' | 'failed' | 'expired';
}

/** Returns those for which nothing more is to be done. */
async function writeOutcomes(
  tx: Sql,
  storeId: string,
  settled: readonly Settled[],
  outcomes: readonly Outcome[],
): Promise<EndedRow[]> {
  // Rows are found by this array, or by their key in its order: whatever the planner knows of the tables, it does not read
  // the whole queue for them. Whoever changes a delivery that is being sent changes its claim or its status.
  const ids = sql`${uuids(settled.map(({ delivery }) => delivery.id))}::uuid[]`;
  const { rows } = await sql<EndedRow>`
    with settled as (
      select * from unnest(
        ${ids},
        ${integers(settled.map(({ delivery }) => delivery.claim))}::int[],
        ${integers(settled.map(({ result }) => (result ? 1 : 0)))}::int[],
        ${timestamps(settled.map(({ at }) => new Date(at)))}::timestamptz[],
        ${texts(settled.map(({ result }) => result?.status?.toString() ?? null))}::text[],
        ${texts(settled.map(({ result }) => result?.error ?? null))}::text[],
        ${integers(settled.map(({ result }) => result?.ms ?? 0))}::int[],
        ${texts(settled.map(({ result }) => result?.excerpt ?? null))}::text[],
        ${integers(settled.map(({ result }) => (result?.isResent ? 1 : 0)))}::int[],
        ${texts(outcomes.map(({ status }) => status))}::text[],
        ${texts(outcomes.map(({ dueAt }) => (dueAt === null ? null : new Date(dueAt).toISOString())))}::text[]
      ) as s (id, claim, attempts, at, answer, error, ms, excerpt, resent, status, due_at)
    ), made as (
      select s.*, 1 + coalesce((
          select max(number) from webhook_attempt a where a.store_id = ${storeId}::uuid and a.delivery_id = s.id
        ), 0) as number
      from settled s
      where s.attempts > 0
    ), attempted as (
      insert into webhook_attempt (store_id, delivery_id, number, at, status, error, ms, excerpt, is_resent)
      select ${storeId}::uuid, id, number, at, answer::int, error, ms, excerpt, resent = 1 from made
      on conflict do nothing
    ), forgotten as (
      delete from webhook_attempt a using made m
      where a.store_id = ${storeId}::uuid and a.delivery_id = any(${ids}) and a.delivery_id = m.id
        and a.number <= m.number - ${KEPT_ATTEMPTS}
    ), updated as (
      update webhook_delivery d
      set status = s.status, due_at = s.due_at::timestamptz, attempt = d.attempt + s.attempts,
        finished_at = case when s.due_at is null then now() end
      from settled s
      cross join lateral (
        select ctid from webhook_delivery
        where store_id = ${storeId}::uuid and ${exactly('id', 's.id')}
        order by id
        limit 1
      ) as found
      where d.ctid = found.ctid and d.claim = s.claim and d.status = 'sending'
      returning d.id, d.run_id, d.seq, d.is_awaited, d.status, d.due_at
    )
    select id, is_awaited as "isAwaited", run_id as "runId", seq, status as result from updated
    where due_at is null
    order by run_id`.execute(tx);
  return rows;
}

interface HealthRow {
  failures: number;
  failingSince: number | null;
  lastFailedAt: number | null;
  restingUntil: number | null;
  disabled: Health['disabled'];
}

/** An endpoint that does well is only looked at. */
async function writeHealth(
  tx: Sql,
  storeId: string,
  endpointId: string,
  results: readonly AttemptResult[],
  now: number,
): Promise<void> {
  if (results.length === 0) return;
  const none: Health = { failures: 0, failingSince: null, lastFailedAt: null, restingUntil: null, disabled: null };
  const doesWell = results.every((result) => healthAfter(none, result, now).failures === 0);
  const { rows } = await sql<HealthRow>`
    select failures, (extract(epoch from failing_since) * 1000)::float8 as "failingSince",
      (extract(epoch from last_failed_at) * 1000)::float8 as "lastFailedAt",
      (extract(epoch from resting_until) * 1000)::float8 as "restingUntil", disabled_reason as disabled
    from webhook_endpoint
    where store_id = ${storeId} and id = ${endpointId} and deleted_at is null
      ${doesWell ? sql`and (failures > 0 or resting_until is not null)` : sql``}
    for update`.execute(tx);
  const [before] = rows;
  if (!before) return;
  const after = results.reduce((health, result) => healthAfter(health, result, now), before);
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  await sql`
    update webhook_endpoint
    set failures = ${after.failures}, failing_since = ${time(after.failingSince)}::timestamptz,
      last_failed_at = ${time(after.lastFailedAt)}::timestamptz, resting_until = ${time(after.restingUntil)}::timestamptz, disabled_reason = ${after.disabled},
      disabled_at = case when ${after.disabled}::text is not null then coalesce(disabled_at, now()) end
    where store_id = ${storeId} and id = ${endpointId}`.execute(tx);
}
