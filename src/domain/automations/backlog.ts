import { sql } from 'kysely';
import type { StoreData } from '../../db/store-data.ts';
import { findWork } from './engine/find-work.ts';
import { GAUGE_DAY } from './stored/counts.ts';

/** What automations of all stores have to do. */
export interface AutomationBacklog {
  /** Seconds that the oldest change has waited to be read, and the oldest run to go on. */
  readerLag: number;
  dueLag: number;
  /** Runs that are under way. */
  activeRuns: number;
}

export async function measureAutomations(stores: Pick<StoreData, 'each'>): Promise<AutomationBacklog> {
  const backlog = { readerLag: 0, dueLag: 0, activeRuns: 0 };
  await stores.each(async (db) => {
    for (const { kind, lag } of await findWork(db, Date.now())) {
      if (kind === 'changes') backlog.readerLag = Math.max(backlog.readerLag, lag);
      if (kind === 'runs') backlog.dueLag = Math.max(backlog.dueLag, lag);
    }
    const { rows } = await sql<{ active: number }>`
      select coalesce(sum(count), 0)::float8 as active
      from automation a
      cross join lateral (
        select count from automation_count
        where store_id = a.store_id and automation_id = a.id and day = ${GAUGE_DAY}::date and metric = 'active'
        union all
        select count from automation_count_new
        where store_id = a.store_id and automation_id = a.id and metric = 'active'
      ) as counted`.execute(db);
    backlog.activeRuns += rows[0]?.active ?? 0;
  }, 'automation');
  return backlog;
}
