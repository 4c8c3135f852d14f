import { sql } from 'kysely';
import { isBadData, isDatabaseError, isOutage } from '../../../db/driver-errors.ts';
import type { Sql } from '../../../db/sql.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { loadAutomations } from '../stored/automations.ts';
import { RUN_COLUMNS, type RunRow, runFromRow, type StoredRun } from '../stored/runs.ts';
import { boundEmissions } from './bound-emissions.ts';
import { carryOut } from './carry-out.ts';
import { countFitting } from './fitting-profiles.ts';
import { type Lane, settleLanes } from './lane.ts';
import { Lanes, loadEnrolments } from './load-lanes.ts';
import { queueDeliveries } from './queue-deliveries.ts';
import { RefusedEffects } from './refused-effects.ts';
import type { EngineTools } from './tools.ts';
import { writeLanes } from './write-lanes.ts';

/** Runs that one transaction takes further. */
const MAX_RUNS = 200;

/** Codes by the ids of runs whose step is known to fail. */
type Failures = ReadonlyMap<string, string>;

/**
 * Takes runs of a store that are due further, until each waits or has ended; runs that other processes work on are left
 * to them. Returns how many there were: fewer than `limit` if no more are due.
 */
export async function takeDueRuns(db: Sql, storeId: string, tools: EngineTools, limit = MAX_RUNS): Promise<number> {
  const failures = new Map<string, string>();
  let due: StoredRun[] = [];
  let failed = 0;
  const takeBatch = async (tx: Sql) => {
    const locked = await lockDueRuns(tx, storeId, tools.now(), limit);
    const customers = locked.map(({ run }) => run.profileId);
    due = locked.slice(0, await countFitting(tx, storeId, customers));
    failed = due.length > 0 ? await takeFurther(tx, storeId, due, tools, failures) : 0;
    return due.length < locked.length ? limit : due.length;
  };
  for (;;) {
    try {
      const taken = await retryConflicts(db, () => db.transaction().execute(takeBatch));
      if (failed > 0) tools.onFailed(failed);
      return taken;
    } catch (error) {
      const [only, ...others] = due;
      if (error instanceof RefusedEffects) for (const [id, code] of error.codes) failures.set(id, code);
      // Its step failed, whatever the reason is, unless nobody could work now.
      else if (only && others.length === 0 && !failures.has(only.run.id) && !isOutage(error)) {
        tools.log.error({ err: error, run_id: only.run.id }, 'a step of an automation failed');
        failures.set(only.run.id, isDatabaseError(error) ? 'database_error' : 'internal_error');
      }
      // Somewhere among them is what the database refuses.
      else if (isBadData(error) && limit > 1) return Math.max(await takeDueRuns(db, storeId, tools, 1), limit);
      else throw error;
    }
  }
}

/** Returns how many of the runs have failed for good. */
async function takeFurther(
  tx: Sql,
  storeId: string,
  due: readonly StoredRun[],
  tools: EngineTools,
  failures: Failures,
): Promise<number> {
  const now = tools.now();
  const lanes = await lanesOf(tx, storeId, due, tools, failures);
  await settleLanes(tx, storeId, lanes, now);
  await failFaulty(tx, storeId, lanes, tools, now);
  await boundEmissions(tx, storeId, lanes, tools, now);
  await carryOut(tx, storeId, lanes, now);
  await queueDeliveries(tx, storeId, lanes, tools.queues, now);
  await writeLanes(tx, storeId, lanes, now);
  const runs = lanes.flatMap(({ reactions }) => reactions.flatMap((reaction) => reaction.runs));
  return runs.filter(({ status }) => status === 'failed').length;
}

/** Runs of one customer in one automation come one after the other: each sees what the one before has done. */
async function lanesOf(
  tx: Sql,
  storeId: string,
  due: readonly StoredRun[],
  tools: EngineTools,
  failures: Failures,
): Promise<Lane[]> {
  const ids = [...new Set(due.map(({ automationId }) => automationId))];
  const automations = new Map(
    (await loadAutomations(tx, storeId, tools.versions, ids)).map((automation) => [automation.id, automation.now]),
  );
  const lanes = new Lanes();
  for (const { automationId, run } of due) {
    const automation = automations.get(automationId);
    const lane = lanes.of(automationId, run.profileId);
    if (!automation || lane.told.length > 0) continue;
    const code = failures.get(run.id);
    const input = code
      ? ({ type: 'failure', runId: run.id, seq: run.seq, code } as const)
      : ({ type: 'due', runId: run.id } as const);
    lane.state = { ...lane.state, runs: [run] };
    lane.told.push({ input, automation });
  }
  await loadEnrolments(tx, storeId, lanes.all);
  return lanes.all;
}

/** A fault of ours fails the step of the run, as what the database refuses does. */
async function failFaulty(
  tx: Sql,
  storeId: string,
  lanes: readonly Lane[],
  tools: EngineTools,
  now: number,
): Promise<void> {
  const faulty = lanes.filter(({ fault }) => fault);
  for (const lane of faulty) {
    const [run] = lane.before.runs;
    tools.log.error(
      { err: lane.fault, automation_id: lane.automationId, run_id: run?.id },
      'a step of an automation failed',
    );
    const input = { type: 'failure', runId: run?.id ?? '', seq: run?.seq ?? 0, code: 'internal_error' } as const;
    const automation = (lane.told[0] as Lane['told'][number]).automation;
    Object.assign(lane, { state: lane.before, reactions: [], fault: undefined, told: [{ input, automation }] });
  }
  await settleLanes(tx, storeId, faulty, now);
}

/** In random order, so that an automation with very many due runs does not keep others waiting. */
async function lockDueRuns(tx: Sql, storeId: string, now: number, limit: number): Promise<StoredRun[]> {
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS}
    from (
      select id, case status when 'archived' then 'infinity' else ${new Date(now).toISOString()}::timestamptz end as until
      from automation
      where store_id = ${storeId} and status in ('live', 'draining', 'archived')
      order by random()
      limit 1000
    ) a
    cross join lateral (
      select * from automation_run
      where store_id = ${storeId} and automation_id = a.id and status = 'active' and due_at <= a.until
      order by due_at
      limit ${limit}
      for update skip locked
    ) r
    limit ${limit}`.execute(tx);
  return rows.map(runFromRow);
}
