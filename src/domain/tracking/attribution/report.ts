import { type RawBuilder, sql } from 'kysely';
import { texts, timestamps } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import { intervalsOf } from '../../orders/ranges.ts';

/** What orders of one currency brought. */
export interface Revenue {
  currency: string | null;
  orders: number;
  /** Decimal numbers as text: their values less what was refunded of them, and that. */
  amount: string;
  refunded: string;
}

/** What orders are grouped by; what they are not grouped by is null. */
export interface GroupKey {
  source: 'request' | 'automation' | 'campaign' | null;
  sourceId: string | null;
  stepId: string | null;
  templateId: string | null;
  /** From 1; of campaigns, of those who have tried one. */
  variant: number | null;
  /** `2026-11-20`, in the time zone that is asked for. */
  date: string | null;
}

export interface Group extends GroupKey {
  revenue: Revenue[];
}

export type GroupBy = 'source' | 'campaign' | 'automation' | 'step' | 'variant' | 'template' | 'day';

export interface Report {
  revenue: Revenue[];
  groups: Group[];
  /** Whether there are more groups, or currencies, than are returned. */
  isCut: boolean;
}

export interface ReportRange {
  groupBy: GroupBy;
  sourceId: string | undefined;
  /** Whose days those are that orders are grouped by. */
  zone: string;
  /** In milliseconds; it ends before the second. */
  from: number;
  to: number;
}

/** Groups, and groups and currencies together, at most. */
const [MAX_GROUPS, MAX_ROWS] = [1_000, 3_000];

/** An order is refunded to its value at most. */
export const VALUE = sql`coalesce(value, 0)`;
export const REFUNDED = sql`case when is_refunded_whole then ${VALUE} else least(refunded, ${VALUE}) end`;
const SUMS = sql`count(*) as orders, sum(${VALUE} - ${REFUNDED}) as amount, sum(${REFUNDED}) as refunded`;

const asRevenue = (orders: RawBuilder<unknown>) => sql`
  currency, ${orders}::float8 as orders, trim_scale(amount)::text as amount, trim_scale(refunded)::text as refunded`;

const COLUMNS: Record<keyof GroupKey, (range: ReportRange) => RawBuilder<unknown>> = {
  source: () => sql`source`,
  sourceId: () => sql`source_id`,
  stepId: () => sql`step_id`,
  templateId: () => sql`template_id`,
  variant: () => sql`variant`,
  date: dayOf,
};

/** By when each day begins: Postgres takes other time zones than reports do, and reads `+01:00` as the west. */
function dayOf({ zone, from, to }: ReportRange): RawBuilder<unknown> {
  const dateAt = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate();
  const days = intervalsOf({ first: dateAt(from), last: dateAt(to - 1), zone, interval: 'day' });
  return sql`(${texts(days.map(({ start }) => start))}::text[])[
    width_bucket(ordered_at, ${timestamps(days.map((day) => new Date(day.from)))}::timestamptz[])
  ]`;
}

/** The columns of each group, and which orders are in one. */
const GROUPINGS: Record<GroupBy, { keys: readonly (keyof GroupKey)[]; source?: GroupKey['source'] }> = {
  source: { keys: ['source'] },
  campaign: { keys: ['source', 'sourceId'], source: 'campaign' },
  automation: { keys: ['source', 'sourceId'], source: 'automation' },
  step: { keys: ['source', 'sourceId', 'stepId'], source: 'automation' },
  variant: { keys: ['source', 'sourceId', 'variant'], source: 'campaign' },
  template: { keys: ['templateId'] },
  day: { keys: ['date'] },
};

/** Returns what the messages of a campaign or an automation led to, by currency: those of the most orders. */
export async function readRevenueOf(db: Sql, storeId: string, sourceId: string): Promise<Revenue[]> {
  return await sumOf(db, sql`store_id = ${storeId} and source_id = ${sourceId}`);
}

/** Returns what the orders of a report came to as a whole, as above. */
export async function readTotals(db: Sql, storeId: string, range: ReportRange): Promise<Revenue[]> {
  return await sumOf(db, inRange(storeId, range));
}

async function sumOf(db: Sql, orders: RawBuilder<unknown>): Promise<Revenue[]> {
  const { rows } = await sql<Revenue>`
    select ${asRevenue(sql`orders`)} from (
      select currency, ${SUMS} from attribution
      where ${orders}
      group by currency
    ) o
    order by o.orders desc, currency limit ${MAX_ROWS}`.execute(db);
  return rows;
}

function inRange(storeId: string, { groupBy, sourceId, from, to }: ReportRange): RawBuilder<unknown> {
  const { source } = GROUPINGS[groupBy];
  return sql`store_id = ${storeId} and message_id is not null
    and ordered_at >= ${new Date(from)}::timestamptz and ordered_at < ${new Date(to)}::timestamptz
    ${source ? sql`and source = ${source}` : sql``}
    ${sourceId === undefined ? sql`` : sql`and source_id = ${sourceId}`}`;
}

interface Row extends GroupKey, Revenue {
  isTotal: boolean;
}

/** Sums up the orders of some days that messages led to. */
export async function readReport(db: Sql, storeId: string, range: ReportRange): Promise<Report> {
  const { keys } = GROUPINGS[range.groupBy];
  const names = Object.keys(COLUMNS) as (keyof GroupKey)[];
  const grouped = sql.join(keys.map((key) => sql`${COLUMNS[key](range)} as ${sql.ref(key)}`));
  const all = sql.join(names.map((name) => (keys.includes(name) ? sql.ref(name) : sql`null as ${sql.ref(name)}`)));
  const own = sql.join(keys.map((key) => sql.ref(key)));
  const { rows } = await sql<Row>`
    with o as (
      select ${grouped}, currency, ${SUMS} from attribution
      where ${inRange(storeId, range)}
      group by ${own}, currency
    ), total as (
      select currency, sum(orders) as orders, sum(amount) as amount, sum(refunded) as refunded from o group by currency
    ), ranked as (
      select *, sum(orders) over (partition by ${own}) as size from o
      order by size desc, ${own}, orders desc, currency limit ${MAX_ROWS + 1}
    )
    (
      select false as "isTotal", ${all}, ${asRevenue(sql`orders`)} from ranked
      order by size desc, ${own}, ranked.orders desc, currency
    )
    union all
    (
      select true, ${sql.join(names.map(() => sql`null`))}, ${asRevenue(sql`orders`)} from total
      order by total.orders desc, currency limit ${MAX_ROWS}
    )`.execute(db);
  return toReport(rows, range.groupBy);
}

function toReport(rows: readonly Row[], groupBy: GroupBy): Report {
  const ofGroups = rows.filter(({ isTotal }) => !isTotal);
  const groups = new Map<string, Group>();
  for (const { isTotal: _, currency, orders, amount, refunded, ...key } of ofGroups) {
    const name = JSON.stringify(key);
    const group = groups.get(name) ?? { ...key, revenue: [] };
    group.revenue.push({ currency, orders, amount, refunded });
    groups.set(name, group);
  }
  const all = [...groups.values()];
  // Of the last one there may be more.
  const whole = ofGroups.length > MAX_ROWS ? all.slice(0, -1) : all;
  const shown = whole.slice(0, MAX_GROUPS);
  return {
    revenue: rows.flatMap(({ isTotal, currency, orders, amount, refunded }) =>
      isTotal ? [{ currency, orders, amount, refunded }] : [],
    ),
    groups: groupBy === 'day' ? shown.toSorted((a, b) => ((a.date ?? '') < (b.date ?? '') ? -1 : 1)) : shown,
    isCut: shown.length < all.length,
  };
}
