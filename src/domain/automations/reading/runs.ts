import { type RawBuilder, sql } from 'kysely';
import { rowById } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { HIGHEST_ID, isId, LOWEST_ID, lowestIdAt } from '../../../ids/uuid-v7.ts';
import { idCursor, type Page, type PageRequest, readBefore } from '../../reading/cursor.ts';
import type { Run } from '../core/machine/run.ts';
import { SHOWN_RUN_COLUMNS, type ShownRun, type ShownRunRow, shownRunFromRow } from './shown-run.ts';

/** Of one automation or of one profile, or both. */
export type RunFilter = ({ automationId: string; profileId?: string | undefined } | { profileId: string }) & {
  status?: Run['status'] | undefined;
  /** Where it is, or ended or failed. */
  stepId?: string | undefined;
  version?: number | undefined;
  /** Range of `startedAt`, from inclusive, to exclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
};

/** Runs that one request looks through where no index finds those that match. */
const MAX_LOOKED_THROUGH = 2_000;
/** The same at each step, where runs of all steps are put in order. */
const MAX_OF_EACH_STEP = 500;
/** Milliseconds by which the id of a run may be drawn later than the run starts. */
const LATE_ID = 60_000;
const LATEST_ID_MS = 2 ** 48 - 1;

/** Returns a run of the store. */
export async function findRun(db: Sql, storeId: string, id: string): Promise<ShownRun | undefined> {
  if (!isId(id)) return undefined;
  const { rows } = await sql<ShownRunRow>`
    select ${SHOWN_RUN_COLUMNS} from automation_run r where r.store_id = ${storeId} and r.id = ${id}`.execute(db);
  return rows[0] && shownRunFromRow(rows[0]);
}

/**
 * Returns runs of the store, the one started last first. A page may be short, or empty, although more follow: no more
 * than some are looked through.
 */
export async function readRuns(
  db: Sql,
  storeId: string,
  filter: RunFilter,
  page: PageRequest,
): Promise<Page<ShownRun>> {
  const { limit } = page;
  const { source, most, conditions } = selectionOf(storeId, filter, page);
  const fits = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
  const { rows } = await sql<(ShownRunRow | { id: null }) & { lookedAt: number; last: string | null }>`
    with looked_through as materialized (
      select id, ${fits} as fits from (${source}) as r
    ), fitting as (
      select id from looked_through where fits order by id desc limit ${limit + 1}
    )
    select ${SHOWN_RUN_COLUMNS}, looked."lookedAt", looked.last
    from (
      select (select count(*) from looked_through)::int as "lookedAt",
        (select id from looked_through order by id limit 1) as last
    ) looked
    left join lateral (
      select run.* from fitting
      cross join lateral ${rowById('automation_run', storeId, 'fitting.id')} run
    ) r on true
    order by r.id desc`.execute(db);
  const [{ lookedAt, last }] = rows as [(typeof rows)[number]];
  const found = rows.flatMap((row) => (row.id === null ? [] : [shownRunFromRow(row)]));
  const items = found.slice(0, limit);
  const lastShown = items.at(-1);
  if (lastShown && found.length > limit) return { items, next: idCursor(lastShown) };
  return { items, next: last !== null && lookedAt === most ? idCursor({ id: last }) : null };
}

interface Selection {
  /** The runs to look through, in order. */
  source: RawBuilder<unknown>;
  /** How many those are at most. */
  most: number;
  /** What else they have to fulfil. */
  conditions: RawBuilder<unknown>[];
}

/** Selects runs in order by the index that leaves the fewest to look through. */
function selectionOf(storeId: string, filter: RunFilter, { limit, cursor }: PageRequest): Selection {
  const { profileId, status, stepId, version, from, to } = filter;
  const automationId = 'automationId' in filter ? filter.automationId : undefined;
  const place = sql`store_id = ${storeId} and id >= ${lowestId(from)}::uuid and id < ${endOf(to, cursor)}::uuid`;
  const conditions: RawBuilder<unknown>[] = [];
  if (from) conditions.push(sql`started_at >= ${from}`);
  if (to) conditions.push(sql`started_at < ${to}`);
  if (version !== undefined) conditions.push(sql`version = ${version}`);
  const look = (where: RawBuilder<unknown>, others: RawBuilder<unknown>[]): Selection => {
    const all = [...conditions, ...others];
    const most = all.length > 0 ? MAX_LOOKED_THROUGH : limit + 1;
    const source = sql`select * from automation_run where ${place} and ${where} order by id desc limit ${most}`;
    return { source, most, conditions: all };
  };
  const ofStatus = status === undefined ? [] : [sql`status = ${status}`];
  const atStep = stepId === undefined ? [] : [sql`step_id = ${stepId}`];
  if (profileId !== undefined) {
    const ofAutomation = automationId === undefined ? [] : [sql`automation_id = ${automationId}`];
    return look(sql`profile_id = ${profileId}`, [...ofAutomation, ...ofStatus, ...atStep]);
  }
  const ofAutomation = sql`automation_id = ${automationId as string}`;
  if (status === 'failed') return look(sql`${ofAutomation} and status = 'failed'`, atStep);
  if (status !== 'active') return look(ofAutomation, [...ofStatus, ...atStep]);
  if (stepId !== undefined) return look(sql`${ofAutomation} and status <> 'ended' and step_id = ${stepId}`, ofStatus);
  return {
    source: openAtAnyStep(storeId, automationId as string, place),
    most: MAX_OF_EACH_STEP,
    conditions: [...conditions, ...ofStatus],
  };
}

/** The index has those that have not ended by step: it is entered once for each step. */
function openAtAnyStep(storeId: string, automationId: string, place: RawBuilder<unknown>): RawBuilder<unknown> {
  const open = sql`store_id = ${storeId} and automation_id = ${automationId} and status <> 'ended'`;
  return sql`
    with recursive step (id) as (
      (select step_id from automation_run where ${open} order by step_id limit 1)
      union all
      select (select step_id from automation_run where ${open} and step_id > step.id order by step_id limit 1)
      from step where step.id is not null
    )
    select of_step.* from step
    cross join lateral (
      select * from automation_run
      where automation_id = ${automationId} and status <> 'ended' and step_id = step.id and ${place}
      order by id desc limit ${MAX_OF_EACH_STEP}
    ) of_step
    order by of_step.id desc limit ${MAX_OF_EACH_STEP}`;
}

function lowestId(from: Date | undefined): string {
  return from ? lowestIdAt(within(from, 0)) : LOWEST_ID;
}

function endOf(to: Date | undefined, cursor: string | undefined): string {
  const before = readBefore(cursor).toLowerCase();
  const end = to ? lowestIdAt(within(to, LATE_ID)) : HIGHEST_ID;
  return before < end ? before : end;
}

/** The time with some delay, as far as ids have one. */
function within(time: Date, delay: number): Date {
  return new Date(Math.min(Math.max(0, time.getTime() + delay), LATEST_ID_MS));
}
