import { sql } from 'kysely';
import { texts, uuids } from '../../../db/binary-arrays.ts';
import { isOutage } from '../../../db/driver-errors.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../ids/uuid-v7.ts';
import { retryConflicts } from '../../write/retry-conflicts.ts';
import { dateTriggerId } from '../core/machine/origin.ts';
import { loadAutomations } from '../stored/automations.ts';
import { deleteDates } from '../stored/dates.ts';
import { countFitting, Entrants, loadEntrants, settle } from './entrant.ts';
import type { EngineTools } from './tools.ts';
import { writeSound } from './write-entrants.ts';

/** Dates that one transaction deals with. */
const MAX_DATES = 200;

interface DueDate {
  automationId: string;
  profileId: string;
  day: string;
  dueAt: number;
}

/** Starts runs for the customers of a store whose dates are due. Returns whether there may be more. */
export async function takeDueDates(db: Sql, storeId: string, tools: EngineTools, limit = MAX_DATES): Promise<boolean> {
  let due: DueDate[] = [];
  const takeBatch = async (tx: Sql) => {
    const now = tools.now();
    const locked = await lockDueDates(tx, storeId, now, limit);
    const customers = locked.map(({ profileId }) => profileId);
    due = locked.slice(0, await countFitting(tx, storeId, customers));
    if (due.length > 0) await startRuns(tx, storeId, due, tools, now);
    return due.length === limit || due.length < locked.length;
  };
  try {
    return await retryConflicts(db, () => db.transaction().execute(takeBatch));
  } catch (error) {
    if (isOutage(error) || due.length === 0) throw error;
    // Somewhere among them is one that fails whenever it is tried; it must not hold up all others.
    if (limit > 1) return await takeDueDates(db, storeId, tools, Math.ceil(limit / 10));
    tools.log.error({ err: error, store_id: storeId }, 'automations passed over a date that failed');
    await deleteDates(db, storeId, due);
    return true;
  }
}

async function startRuns(
  tx: Sql,
  storeId: string,
  due: readonly DueDate[],
  tools: EngineTools,
  now: number,
): Promise<void> {
  const ids = [...new Set(due.map(({ automationId }) => automationId))];
  const automations = new Map(
    (await loadAutomations(tx, storeId, tools.versions, ids)).map((automation) => [automation.id, automation.now]),
  );
  const started = await findStarted(tx, storeId, due);
  const entrants = new Entrants();
  for (const [i, { automationId, profileId, day, dueAt }] of due.entries()) {
    const automation = automations.get(automationId);
    if (!automation) continue;
    const input = { type: 'date', occasion: { day, dueAt }, runId: newId(), startedRunId: started.get(i) } as const;
    entrants.of(automationId, profileId).inputs.push({ input, automation });
  }
  await loadEntrants(tx, storeId, entrants, tools.versions);
  await settle(tx, storeId, entrants.all, now);
  // Each is planned anew by what comes of it; what nobody plans any more is gone.
  await deleteDates(tx, storeId, due);
  await writeSound(tx, storeId, entrants.all, { log: tools.log, what: 'a date', now });
}

/**
 * Returns the runs that occasions have started already, by their place: one is due again if a later version or the
 * customer's time zone puts it off.
 */
async function findStarted(tx: Sql, storeId: string, due: readonly DueDate[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ n: number; id: string }>`
    select w.n::int, r.id
    from unnest(
      ${uuids(due.map(({ automationId }) => automationId))}::uuid[],
      ${texts(due.map(({ profileId, day }) => dateTriggerId(profileId, day)))}::text[])
      with ordinality as w (automation_id, trigger_id, n)
    cross join lateral (
      select id from automation_run
      where store_id = ${storeId} and automation_id = w.automation_id and trigger_id = w.trigger_id
      limit 1
    ) r`.execute(tx);
  return new Map(rows.map(({ n, id }) => [n - 1, id]));
}

async function lockDueDates(tx: Sql, storeId: string, now: number, limit: number): Promise<DueDate[]> {
  const { rows } = await sql<DueDate>`
    select d.automation_id as "automationId", d.profile_id as "profileId", d.day::text as day,
      (extract(epoch from d.due_at) * 1000)::float8 as "dueAt"
    from (
      select id from automation
      where store_id = ${storeId} and status in ('live', 'paused')
      order by random()
      limit 1000
    ) a
    cross join lateral (
      select * from automation_date
      where store_id = ${storeId} and automation_id = a.id and due_at <= ${new Date(now).toISOString()}::timestamptz
      order by due_at
      limit ${limit}
      for update skip locked
    ) d
    limit ${limit}`.execute(tx);
  return rows;
}
