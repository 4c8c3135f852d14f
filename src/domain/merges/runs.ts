import { sql } from 'kysely';
import { uuids } from '../../db/binary-arrays.ts';
import type { Sql } from '../../db/sql.ts';
import { endRunOfMerged } from '../automations/run-actions.ts';
import type { VersionCache } from '../automations/stored/version-cache.ts';
import { invalid } from '../service-error.ts';
import { BATCH, type Step } from '../sweeps/step.ts';
import type { Merging } from './merge.ts';

/** Active runs of the two that a merge moves, or ends, in one transaction. */
const MAX_RUNS = 5_000;

interface OpenRun {
  id: string;
  profileId: string;
  /** The automation and what its rule of re-entry goes by; null if a customer may be in it as often as they like. */
  place: string | null;
  started: number;
}

/**
 * Moves what a customer is in to another, with all that it waits for. Where both are in an automation in which a customer is
 * once, the run that began later ends. How often they have been in one adds up.
 */
export async function moveRuns(
  tx: Sql,
  merging: Merging,
  versions: VersionCache,
): Promise<{ moved: number; ended: number }> {
  const { storeId, profileId, winnerId } = merging;
  const { rows } = await sql<OpenRun>`
    select id, profile_id as "profileId",
      case when status = 'active' then automation_id || ' ' || enrolment_key end as place,
      (extract(epoch from started_at) * 1000)::float8 as started
    from automation_run
    where store_id = ${storeId} and profile_id = any(${uuids([profileId, winnerId])}::uuid[]) and status <> 'ended'
    order by id
    limit ${MAX_RUNS + 1}
    for update`.execute(tx);
  if (rows.length > MAX_RUNS) {
    throw invalid({
      path: ['from'],
      problem: `is, together with the other profile, in more than ${MAX_RUNS} active runs`,
    });
  }
  const ended = laterOf(rows);
  for (const id of ended) await endRunOfMerged(tx, storeId, id, versions);
  const { rows: moved } = await sql`
    update automation_run set profile_id = ${winnerId}
    where store_id = ${storeId} and profile_id = ${profileId} and status <> 'ended' returning 1`.execute(tx);
  await mergeEnrolments(tx, merging);
  return { moved: moved.length, ended: ended.length };
}

/** Returns the runs whose place an older one has. */
function laterOf(runs: readonly OpenRun[]): string[] {
  const byPlace = Map.groupBy(runs, ({ place }) => place);
  byPlace.delete(null);
  return [...byPlace.values()].flatMap((own) => {
    const [first] = own.toSorted((a, b) => a.started - b.started || (a.id < b.id ? -1 : 1));
    const isShared = new Set(own.map(({ profileId }) => profileId)).size > 1;
    return isShared ? own.filter((run) => run !== first).map(({ id }) => id) : [];
  });
}

async function mergeEnrolments(tx: Sql, { storeId, profileId, winnerId }: Merging): Promise<number> {
  const { rows } = await sql`
    with gone as (
      delete from automation_enrolment
      where store_id = ${storeId} and profile_id = ${profileId}
        and automation_id = any(array(select id from automation where store_id = ${storeId}))
      returning *
    )
    insert into automation_enrolment as e
      (store_id, automation_id, profile_id, key, last_started_at, active_run_id, starts)
    select ${storeId}::uuid, automation_id, ${winnerId}::uuid, key, last_started_at, active_run_id, starts
    from gone order by automation_id, key collate "C"
    on conflict (store_id, automation_id, profile_id, key) do update set
      last_started_at = greatest(e.last_started_at, excluded.last_started_at), starts = e.starts + excluded.starts,
      active_run_id = coalesce(e.active_run_id, excluded.active_run_id)
    returning 1`.execute(tx);
  return rows.length;
}

/** The same for what began meanwhile, and for runs that have ended. */
export const sweepRuns: Step<Merging> = async (tx, merging, _after, { versions }) => {
  const { storeId, profileId, winnerId } = merging;
  const { moved } = await moveRuns(tx, merging, versions);
  const { rows } = await sql`
    update automation_run set profile_id = ${winnerId}
    where store_id = ${storeId} and id = any(array(
      select id from automation_run where store_id = ${storeId} and profile_id = ${profileId} order by id limit ${BATCH}))
    returning 1`.execute(tx);
  return { counts: { automation_run: moved + rows.length }, next: rows.length === BATCH ? 'more' : null };
};

export const sweepEnrolments: Step<Merging> = async (tx, merging) => {
  return { counts: { automation_enrolment: await mergeEnrolments(tx, merging) }, next: null };
};
