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
 * timelines, and what did not start any, what profiles were changed from and to, and how much has followed from what. Runs are kept for ever if their
 * days are 0. Ends soon after `until`, by `performance.now()`, and leaves the rest to the next time.
 */
export async function deleteOldOfAutomations(db: Sql, runsKeptDays: number, until: number): Promise<void> {
  for (const expiring of [
    ...(runsKeptDays > 0 ? [oldRuns(runsKeptDays), oldOccurrences(runsKeptDays)] : []),
    oldSkips(),
    ...oldByIds(),
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
  const condition = sql`ended_at is not null`;
  const isOld = sql`ended_at < ${ago(keptDays * DAY_MS)}::timestamptz`;
  return {
    table: sql`automation_occurrence`,
    condition,
    isOld,
    async deleteSome(db, storeId) {
      const { rows } = await sql<{ deleted: number }>`
        with old as materialized (
          select automation_id, day from automation_occurrence
          where store_id = ${storeId} and ${condition} and ${isOld}
          order by ended_at
          limit ${MAX_ROWS}
          for update skip locked
        ), deleted as (
          delete from automation_occurrence o using old
          where o.store_id = ${storeId} and o.automation_id = old.automation_id and o.day = old.day
          returning 1
        )
        select count(*)::int as deleted from deleted`.execute(db);
      return rows[0]?.deleted ?? 0;
    },
  };
}

function oldSkips(): Expiring {
  const condition = sql`true`;
  const isOld = sql`skipped_at < ${ago(SKIPS_KEPT_MS)}::timestamptz`;
  return {
    table: sql`automation_skip`,
    condition,
    isOld,
    async deleteSome(db, storeId) {
      const { rows } = await sql<{ deleted: number }>`
        with old as materialized (
          select automation_id, trigger_id from automation_skip
          where store_id = ${storeId} and ${isOld}
          order by skipped_at
          limit ${MAX_ROWS}
          for update skip locked
        ), deleted as (
          delete from automation_skip s using old
          where s.store_id = ${storeId} and s.automation_id = old.automation_id and s.trigger_id = old.trigger_id
          returning 1
        )
        select count(*)::int as deleted from deleted`.execute(db);
      return rows[0]?.deleted ?? 0;
    },
  };
}

function oldByIds(): Expiring[] {
  return [oldById(sql`profile_change`, CHANGES_KEPT_MS), oldById(sql`automation_chain`, CHAINS_KEPT_MS)];
}

/** What is as old as its id. */
function oldById(table: RawBuilder<unknown>, keptMs: number): Expiring {
  const isOld = sql`id < ${lowestIdAt(new Date(Date.now() - keptMs))}::uuid`;
  return {
    table,
    condition: sql`true`,
    isOld,
    async deleteSome(db, storeId) {
      const { rows } = await sql<{ deleted: number }>`
        with old as materialized (
          select id from ${table}
          where store_id = ${storeId} and ${isOld}
          order by id
          limit ${MAX_ROWS}
          for update skip locked
        ), deleted as (
          delete from ${table} where store_id = ${storeId} and id = any(array(select id from old))
          returning id
        )
        select count(*)::int as deleted from deleted`.execute(db);
      return rows[0]?.deleted ?? 0;
    },
  };
}

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}
