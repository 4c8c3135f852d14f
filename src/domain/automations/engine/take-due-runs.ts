import { sql } from 'kysely';
import { isBadData, isDatabaseError, isOutage, isTimeout } from '../../../db/driver-errors.ts';
import type { Sql } from '../../../db/sql.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { isOfStanding } from '../core/machine/effects.ts';
import { loadAutomations } from '../stored/automations.ts';
import { RUN_COLUMNS, type RunRow, runFromRow, type StoredRun } from '../stored/runs.ts';
import { carryOut, queueDeliveries, RefusedEffects } from './carry-out.ts';
import { boundEmissions } from './chain-bounds.ts';
import { changeStanding } from './change-standing.ts';
import { countFitting, type Entrant, Entrants, loadEnrolments, settle } from './entrant.ts';
import { queueMessages } from './queue-messages.ts';
import type { EngineTools } from './tools.ts';
import { writeEntrants } from './write-entrants.ts';

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
  let taken = { failed: 0, isMore: false };
  const takeBatch = async (tx: Sql) => {
    const locked = await lockDueRuns(tx, storeId, tools.now(), limit);
    const customers = locked.map(({ run }) => run.profileId);
    due = locked.slice(0, await countFitting(tx, storeId, customers));
    if (due.length > 0) taken = await takeFurther(tx, storeId, due, tools, failures);
    return due.length < locked.length || taken.isMore ? limit : due.length;
  };
  for (;;) {
    try {
      const count = await retryConflicts(db, () => db.transaction().execute(takeBatch));
      if (taken.failed > 0) tools.onFailed(taken.failed);
      return count;
    } catch (error) {
      const [only, ...others] = due;
      if (error instanceof RefusedEffects) for (const [id, code] of error.codes) failures.set(id, code);
      // Its step failed, whatever the reason is, unless nobody could work now.
      else if (only && others.length === 0 && !failures.has(only.run.id) && !isOutage(error)) {
        tools.log.error({ err: error, run_id: only.run.id }, 'a step of an automation failed');
        failures.set(only.run.id, isDatabaseError(error) ? 'database_error' : 'internal_error');
      }
      // Somewhere among them is what the database refuses, or nobody expected; or together they take too long.
      else if ((isBadData(error) || isTimeout(error) || !isDatabaseError(error)) && limit > 1)
        return Math.max(await takeDueRuns(db, storeId, tools, 1), limit);
      else throw error;
    }
  }
}

/** Returns how many of the runs have failed for good, and whether any is due still. */
async function takeFurther(
  tx: Sql,
  storeId: string,
  due: readonly StoredRun[],
  tools: EngineTools,
  failures: Failures,
): Promise<{ failed: number; isMore: boolean }> {
  const now = tools.now();
  const entrants = await entrantsOf(tx, storeId, due, tools, failures);
  await settle(tx, storeId, entrants, now);
  await failFaulty(tx, storeId, entrants, tools, now);
  await boundEmissions(tx, storeId, entrants, tools, now);
  await carryOut(tx, storeId, entrants, tools, now);
  await queueDeliveries(tx, storeId, entrants, tools.queues, now);
  await queueMessages(tx, storeId, entrants, tools.messageQueues, now);
  await changeStanding(tx, storeId, entrants, now);
  await writeEntrants(tx, storeId, entrants, now);
  const runs = entrants.flatMap(({ reactions }) => reactions.flatMap((reaction) => reaction.runs));
  const isDue = entrants.some(({ reactions }) => reactions.some(({ effects }) => effects.some(isOfStanding)));
  return { failed: runs.filter(({ status }) => status === 'failed').length, isMore: isDue };
}

/** Runs of one customer in one automation come one after the other: each sees what the one before has done. */
async function entrantsOf(
  tx: Sql,
  storeId: string,
  due: readonly StoredRun[],
  tools: EngineTools,
  failures: Failures,
): Promise<Entrant[]> {
  const ids = [...new Set(due.map(({ automationId }) => automationId))];
  const automations = new Map(
    (await loadAutomations(tx, storeId, tools.versions, ids)).map((automation) => [automation.id, automation.now]),
  );
  const entrants = new Entrants();
  for (const { automationId, run } of due) {
    const automation = automations.get(automationId);
    const entrant = entrants.of(automationId, run.profileId);
    if (!automation || entrant.inputs.length > 0) continue;
    const code = failures.get(run.id);
    const input = code
      ? ({ type: 'failure', runId: run.id, seq: run.seq, code } as const)
      : ({ type: 'due', runId: run.id } as const);
    entrant.state = { ...entrant.state, runs: [run] };
    entrant.inputs.push({ input, automation });
  }
  await loadEnrolments(tx, storeId, entrants.all);
  return entrants.all;
}

/** A fault of ours fails the step of the run, as what the database refuses does. */
async function failFaulty(
  tx: Sql,
  storeId: string,
  entrants: readonly Entrant[],
  tools: EngineTools,
  now: number,
): Promise<void> {
  const faulty = entrants.filter(({ fault }) => fault);
  for (const entrant of faulty) {
    const [run] = entrant.before.runs;
    tools.log.error(
      { err: entrant.fault, automation_id: entrant.automationId, run_id: run?.id },
      'a step of an automation failed',
    );
    const input = { type: 'failure', runId: run?.id ?? '', seq: run?.seq ?? 0, code: 'internal_error' } as const;
    const automation = (entrant.inputs[0] as Entrant['inputs'][number]).automation;
    Object.assign(entrant, { state: entrant.before, reactions: [], fault: undefined, inputs: [{ input, automation }] });
  }
  await settle(tx, storeId, faulty, now);
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
