import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';
import type { SkipReason } from './core/machine/skip.ts';
import type { EndReason } from './core/machine/timeline.ts';
import { type CountMetric, GAUGE_DAY } from './stored/counts.ts';

/** UTC days since 1970, both included. */
export interface Days {
  first: number;
  last: number;
}

export interface AutomationStats {
  entered: number;
  failed: number;
  /** How many runs are active now. */
  active: number;
  /** The most frequent first, as below. */
  ended: Counted<EndReason>[];
  skipped: Counted<SkipReason>[];
  steps: { id: string; reached: number; active: number }[];
  days: { entered: number; ended: number; failed: number }[];
  /** By version, the latest first, of the runs that started on these days; empty where no version has a goal. */
  goals: { version: number; entered: number; reached: number }[];
}

export interface Counted<Reason extends string> {
  reason: Reason;
  count: number;
}

interface Row {
  metric: CountMetric;
  /** Since the first day; null for what is not shown by day. */
  day: number | null;
  /** Null for what is not shown by name. */
  name: string | null;
  count: number;
}

/** Counts what an automation did on some days; undefined if the store has no such automation. */
export async function countAutomation(
  db: Sql,
  storeId: string,
  id: string,
  days: Days,
): Promise<AutomationStats | undefined> {
  const stepIds = await findStepIds(db, storeId, id);
  if (!stepIds) return undefined;
  const rows = await readCounts(db, storeId, id, days);
  const byName = (metric: CountMetric) => sumBy(rows, metric, ({ name }) => name ?? '');
  const total = (metric: CountMetric) => [...byName(metric).values()].reduce((sum, count) => sum + count, 0);
  const [reached, at] = [byName('reached'), byName('at')];
  const byDay = (['entered', 'ended', 'failed'] as const).map((metric) => sumBy(rows, metric, ({ day }) => day ?? 0));
  const [entered, ended, failed] = byDay as [Sums<number>, Sums<number>, Sums<number>];
  return {
    entered: total('entered'),
    failed: total('failed'),
    active: total('active'),
    ended: mostFrequent<EndReason>(byName('ended')),
    skipped: mostFrequent<SkipReason>(byName('skipped')),
    steps: stepIds.map((step) => ({ id: step, reached: reached.get(step) ?? 0, active: at.get(step) ?? 0 })),
    goals: goalsOf(byName('with_goal'), byName('goal')),
    days: Array.from({ length: days.last - days.first + 1 }, (_, day) => ({
      entered: entered.get(day) ?? 0,
      ended: ended.get(day) ?? 0,
      failed: failed.get(day) ?? 0,
    })),
  };
}

function goalsOf(entered: Sums<string>, reached: Sums<string>): AutomationStats['goals'] {
  return [...entered]
    .map(([version, count]) => ({ version: Number(version), entered: count, reached: reached.get(version) ?? 0 }))
    .sort((one, other) => other.version - one.version)
    .slice(0, MAX_VERSIONS);
}

/** Versions of which the goals are shown. */
const MAX_VERSIONS = 100;

/** The steps of the latest version, or before the first those of the draft. */
async function findStepIds(db: Sql, storeId: string, id: string): Promise<string[] | undefined> {
  const { rows } = await sql<{ ids: string | null }>`
    select (
      select string_agg(step ->> 'id', ' ' order by n)
      from json_array_elements(coalesce(v.definition, a.draft) -> 'steps') with ordinality as s (step, n)
    ) as ids
    from automation a
    left join automation_version v on v.store_id = a.store_id and v.automation_id = a.id and v.number = a.version
    where a.store_id = ${storeId} and a.id = ${id}`.execute(db);
  return rows[0] && (rows[0].ids?.split(' ') ?? []);
}

/** One statement, so that summing up in between makes nothing missing or counted twice. */
async function readCounts(db: Sql, storeId: string, id: string, { first, last }: Days): Promise<Row[]> {
  const ofIt = sql`
    where store_id = ${storeId} and automation_id = ${id}
      and case
        when metric in ('active', 'at') then day = ${GAUGE_DAY}::date
        else day between date 'epoch' + ${first}::int and date 'epoch' + ${last}::int
      end`;
  const { rows } = await sql<Row>`
    select metric,
      case when metric in ('entered', 'ended', 'failed') then day - date 'epoch' - ${first}::int end as day,
      case when metric in ('ended', 'skipped', 'reached', 'at', 'with_goal', 'goal') then name end as name,
      sum(count)::float8 as count
    from (
      select metric, day, name, count from automation_count ${ofIt}
      union all
      select metric, day, name, count from automation_count_new ${ofIt}
    ) as counted
    group by 1, 2, 3`.execute(db);
  return rows;
}

type Sums<Key> = Map<Key, number>;

function sumBy<Key>(rows: readonly Row[], metric: CountMetric, keyOf: (row: Row) => Key): Sums<Key> {
  const sums: Sums<Key> = new Map();
  for (const row of rows) {
    if (row.metric !== metric) continue;
    const key = keyOf(row);
    sums.set(key, (sums.get(key) ?? 0) + row.count);
  }
  return sums;
}

function mostFrequent<Reason extends string>(sums: Sums<string>): Counted<Reason>[] {
  return [...sums]
    .map(([reason, count]) => ({ reason: reason as Reason, count }))
    .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason));
}
