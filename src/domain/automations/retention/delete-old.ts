import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../../../db/sql.ts';
import type { DataTask } from '../../../engine/periodic.ts';
import { lowestIdAt } from '../../../ids/uuid-v7.ts';

/** Rows that one statement deletes at most. */
const MAX_ROWS = 1_000;
/** Entries of timelines that go with the runs of one statement, about. */
const MAX_ENTRIES = 5_000;
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const SKIPS_KEPT_MS = 30 * DAY_MS;
/** A little longer than an entry of the change feed waits for its readers. */
const CHANGES_KEPT_MS = 7 * DAY_MS + HOUR_MS;
/** What began longer ago may lead to as much once more. */
const CHAINS_KEPT_MS = 30 * DAY_MS;

/** Rows of one table that may be deleted after some time. */
interface Expiring {
  /** After `from`. */
  table: RawBuilder<unknown>;
  /** What is true of all of them. */
  condition: RawBuilder<unknown>;
  isOld: RawBuilder<unknown>;
  /** Returns how many rows were deleted. */
  deleteSome(db: Sql, storeId: string): Promise<number>;
}

/**
 * Deletes of one part of the data what automations no longer need: runs that ended or failed some time ago, with their
 * timelines, and what did not start any, what profiles were changed from and to, and how much has followed from what.
 * Runs are kept for ever if their days are 0. Ends soon after `until`, by `performance.now()`, and leaves the rest to the next time.
 */
export async function deleteOldOfAutomations(db: Sql, runsKeptDays: number, until: number): Promise<void> {
  for (const expiring of [
    ...(runsKeptDays > 0 ? [oldRuns(runsKeptDays), oldOccurrences(runsKeptDays)] : []),
    oldSkips(),
    oldById('profile_change', CHANGES_KEPT_MS),
    oldById('automation_chain', CHAINS_KEPT_MS),
  ]) {
    for (const storeId of await findStores(db, expiring)) {
      while (performance.now() < until && (await expiring.deleteSome(db, storeId)) > 0);
    }
  }
}

export function deletionOfAutomations(runsKeptDays: number): DataTask {
  return {
    failure: 'old runs of automations not deleted',
    everyMs: 60_000,
    forMs: 5_000,
    run: (db, until) => deleteOldOfAutomations(db, runsKeptDays, until),
  };
}

/** Goes from store to store by the index, in which they come first; in any order, so that none is always the last. */
async function findStores(db: Sql, { table, condition, isOld }: Expiring): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    with recursive having_some (store_id) as (
      (select store_id from ${table} where ${condition} order by store_id limit 1)
      union all
      select (select r.store_id from ${table} r where ${condition} and r.store_id > s.store_id order by r.store_id limit 1)
      from having_some s where s.store_id is not null
    )
    select s.store_id as "storeId"
    from having_some s
    cross join lateral (
      select from ${table} r where ${condition} and r.store_id = s.store_id and ${isOld} limit 1
    ) as old
    where s.store_id is not null
    order by random()`.execute(db);
  return rows.map(({ storeId }) => storeId);
}

/** Rows that another process is just deleting, or that somebody changes, are left to the next time. */
function oldRuns(keptDays: number): Expiring {
  const condition = sql`status <> 'active'`;
  const isOld = sql`ended_at < ${ago(keptDays * DAY_MS)}::timestamptz`;
  return {
    table: sql`automation_run`,
    condition,
    isOld,
    async deleteSome(db, storeId) {
      const { rows } = await sql<{ deleted: number }>`
        with old as materialized (
          select id, seq from automation_run
          where store_id = ${storeId} and ${condition} and ${isOld}
          order by ended_at
          limit ${MAX_ROWS}
          for update skip locked
        ), chosen as materialized (
          select id from (select id, seq, sum(seq) over (order by id) as entries from old) as counted
          where entries - seq < ${MAX_ENTRIES}
        ), timelines as (
          delete from automation_step where store_id = ${storeId} and run_id = any(array(select id from chosen))
        ), deleted as (
          delete from automation_run where store_id = ${storeId} and id = any(array(select id from chosen))
          returning id
        )
        select count(*)::int as deleted from deleted`.execute(db);
      return rows[0]?.deleted ?? 0;
    },
  };
}

/** As old as the runs that they have started. */
function oldOccurrences(keptDays: number): Expiring {
  return expiring('automation_occurrence', {
    key: ['automation_id', 'day'],
    condition: sql`ended_at is not null`,
    time: 'ended_at',
    before: ago(keptDays * DAY_MS),
  });
}

function oldSkips(): Expiring {
  return expiring('automation_skip', {
    key: ['automation_id', 'trigger_id'],
    time: 'skipped_at',
    before: ago(SKIPS_KEPT_MS),
  });
}

/** What is as old as its id. */
function oldById(name: string, keptMs: number): Expiring {
  return expiring(name, { key: ['id'], time: 'id', before: lowestIdAt(new Date(Date.now() - keptMs)) });
}

/** Rows whose `time` is before, the oldest first; `key` is their primary key within the store. */
function expiring(
  name: string,
  {
    key,
    condition = sql`true`,
    time,
    before,
  }: { key: string[]; condition?: RawBuilder<unknown>; time: string; before: string },
): Expiring {
  const table = sql.id(name);
  const isOld = sql`${sql.id(time)} < ${before}`;
  const columns = sql.join(key.map((column) => sql.id(column)));
  return {
    table,
    condition,
    isOld,
    async deleteSome(db, storeId) {
      const { rows } = await sql<{ deleted: number }>`
        with old as materialized (
          select ${columns} from ${table}
          where store_id = ${storeId} and ${condition} and ${isOld}
          order by ${sql.id(time)}
          limit ${MAX_ROWS}
          for update skip locked
        ), deleted as (
          delete from ${table} where store_id = ${storeId} and (${columns}) in (select ${columns} from old)
          returning 1
        )
        select count(*)::int as deleted from deleted`.execute(db);
      return rows[0]?.deleted ?? 0;
    },
  };
}

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}
