import { sql } from 'kysely';
import { timestamps, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { lowestIdAt } from '../../../ids/uuid-v7.ts';
import type { CustomerEvent } from '../../conditions/subject.ts';
import { LIMITS } from '../core/check/limits.ts';
import { findMatch } from '../core/machine/matching.ts';
import { goalEndsAt, goalQuestion } from '../core/machine/wake.ts';
import { Counts } from '../stored/counts.ts';
import { RUN_COLUMNS, type RunRow, runFromRow, type StoredRun } from '../stored/runs.ts';
import type { EngineTools } from './tools.ts';

/** An event that may be the goal of runs. */
export interface GoalEvent {
  automationId: string;
  profileId: string;
  event: CustomerEvent;
}

/** Runs of a customer in an automation that one event is looked at for, the latest. */
const MAX_RUNS = 100;

/**
 * Counts the runs that have reached the goal of their version with these events, each once, whether they have ended or not,
 * on the day on which they started.
 */
export async function countGoals(
  tx: Sql,
  storeId: string,
  events: readonly GoalEvent[],
  tools: Pick<EngineTools, 'versions' | 'now'>,
): Promise<void> {
  if (events.length === 0) return;
  const open = await openRuns(tx, storeId, events, Math.min(tools.now(), Date.now()));
  if (open.length === 0) return;
  const refs = open.map(({ automationId, run }) => ({ automationId, number: run.version }));
  const versionOf = await tools.versions.loadAll(tx, storeId, refs);
  const reached = open.flatMap(({ automationId, run }) => {
    const { definition } = versionOf({ automationId, number: run.version });
    const { goal } = definition;
    if (!goal) return [];
    const until = goalEndsAt(goal, run);
    const question = goalQuestion(goal, run);
    const found = events.find(
      (one) =>
        one.automationId === automationId &&
        one.profileId === run.profileId &&
        one.event.occurredAt <= until &&
        findMatch(question, one.event) >= 0,
    );
    return found ? [{ automationId, run, at: found.event.occurredAt }] : [];
  });
  if (reached.length === 0) return;
  const counts = new Counts(0);
  for (const { automationId, run } of reached) counts.addGoal(automationId, run);
  await sql`
    with reached as (
      update automation_run r set goal_at = w.at
      from unnest(
        ${uuids(reached.map(({ run }) => run.id))}::uuid[],
        ${timestamps(reached.map(({ at }) => new Date(at)))}::timestamptz[]) as w (id, at)
      cross join lateral (
        select ctid from automation_run
        where store_id = ${storeId} and ${exactly('id', 'w.id')}
        order by id
        limit 1
      ) as found
      where r.store_id = ${storeId} and r.ctid = found.ctid
    ), counted as (${counts.insertion(storeId)})
    select`.execute(tx);
}

/** Locks them by their ids, as whoever takes runs further does. */
async function openRuns(tx: Sql, storeId: string, events: readonly GoalEvent[], now: number): Promise<StoredRun[]> {
  const oldest = lowestIdAt(new Date(now - LIMITS.goal));
  const whose = [...new Map(events.map((one) => [`${one.automationId} ${one.profileId}`, one])).values()];
  const { rows } = await sql<RunRow>`
    with wanted as materialized (
      select found.id
      from unnest(
        ${uuids(whose.map(({ automationId }) => automationId))}::uuid[],
        ${uuids(whose.map(({ profileId }) => profileId))}::uuid[]) as w (automation_id, profile_id)
      cross join lateral (
        select id from automation_run
        where store_id = ${storeId} and ${exactly('profile_id', 'w.profile_id')} and id > ${oldest}::uuid
          and automation_id = w.automation_id and goal_at is null
        order by profile_id desc, id desc
        limit ${MAX_RUNS}
      ) found
    )
    select ${RUN_COLUMNS} from automation_run r
    where r.store_id = ${storeId} and r.id = any(array(select id from wanted))
    order by r.id
    for update`.execute(tx);
  return rows.map(runFromRow);
}
