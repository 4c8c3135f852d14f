import { sql } from 'kysely';
import { integers, texts, uuids } from '../../../db/binary-arrays.ts';
import { exactly } from '../../../db/rows.ts';
import type { Sql } from '../../../db/sql.ts';
import { MAX_HISTORY } from '../../conditions/history.ts';

/** Which events of a customer are looked for. */
export interface WantedEvents {
  profileId: string;
  types: readonly string[];
  /** Milliseconds; null for all. */
  from: number | null;
  to: number | null;
  /** Whether events of pages and apps are among them, too. */
  fromClient: boolean;
}

/** The end from which a customer's events are looked through. */
export type Order = 'first' | 'last';

/**
 * Events of all types together that are looked through for those of the wanted ones, as no index has a customer's events by
 * type. Half a million take about a second.
 */
export const MAX_SCANNED = 500_000;
/** Those that one statement looks through: at first for each of many questions, then for one. */
const [FIRST_ROWS, MORE_ROWS] = [10_000, 20_000];

const YEAR_1 = Date.parse('0001-01-01T00:00:00Z');
const [LEAST_ID, GREATEST_ID] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/** Looks through a customer's events in their order, bit by bit, for as long as somebody wants more. */
export class EventScan {
  readonly wanted: WantedEvents;
  readonly order: Order;
  /** How many are wanted at most. */
  readonly most: number;
  /** What the last look has found, in that order. */
  fresh: readonly string[] = [];
  found = 0;
  scanned = 0;
  /** Where it goes on. */
  after: { at: string | null; id: string };
  /** Whether all has been looked through. */
  isAtEnd = false;

  /** By default, one more is wanted than may be read. */
  constructor(wanted: WantedEvents, order: Order, most = MAX_HISTORY + 1) {
    this.wanted = wanted;
    this.order = order;
    this.most = most;
    const { from, to } = wanted;
    this.after = order === 'first' ? { at: timeText(from), id: LEAST_ID } : { at: timeText(to), id: GREATEST_ID };
  }

  /** Whether there is more than may be looked through, or read. */
  get isTooLong(): boolean {
    return this.scanned > MAX_SCANNED || this.found > MAX_HISTORY;
  }

  get isOver(): boolean {
    return this.isAtEnd || this.found >= this.most || this.isTooLong;
  }

  /** `last` is the last event that was looked at, unless there were as many as are wanted before. */
  note(ids: readonly string[], limit: number, last: { n: number; at: string; id: string } | null): void {
    this.fresh = ids;
    this.found += ids.length;
    if (!last) return;
    this.scanned += last.n;
    this.isAtEnd = last.n < limit;
    this.after = { at: last.at, id: last.id };
  }

  /** There is nothing to look through. */
  noteNone(): void {
    this.fresh = [];
    this.isAtEnd = true;
  }
}

/**
 * Looks through some more events for each scan that is not over, all of one order, and hands over what was found for as many
 * scans as were looked on with at once: all of them at first, so that it is one statement, then one by one, as those are of
 * customers with very many events.
 */
export async function scanOn<Own extends { scan: EventScan }>(
  db: Sql,
  storeId: string,
  all: readonly Own[],
  take: (some: readonly Own[]) => Promise<void>,
  isDecided: (one: Own) => boolean,
): Promise<void> {
  if (all.length === 0) return;
  await lookOn(db, storeId, all, FIRST_ROWS);
  await take(all);
  for (const one of all) {
    while (!one.scan.isOver && !isDecided(one)) {
      await lookOn(db, storeId, [one], MORE_ROWS);
      await take([one]);
    }
  }
}

interface Found {
  n: number;
  ids: string;
  last: string | null;
}

/**
 * The rows stream: the statement ends for a customer with the last event that is wanted. An event that is not wanted is passed
 * on only if it is the last, whose number is how many were looked at.
 */
async function lookOn(db: Sql, storeId: string, all: readonly { scan: EventScan }[], limit: number): Promise<void> {
  const scans = all.map(({ scan }) => scan);
  const isFirst = scans[0]?.order === 'first';
  const [direction, startsAt, ends] = isFirst
    ? [
        sql`asc`,
        sql`'-infinity'`,
        sql`(profile_id, occurred_at) <= (w.profile_id, coalesce(w.ending::timestamptz, 'infinity'))`,
      ]
    : [
        sql`desc`,
        sql`'infinity'`,
        sql`(profile_id, occurred_at) >= (w.profile_id, coalesce(w.ending::timestamptz, '-infinity'))`,
      ];
  const start = sql`(w.profile_id, coalesce(w.after::timestamptz, ${startsAt}), w.after_id)`;
  const { rows } = await sql<Found>`
    select w.n::int, e.ids, e.last
    from unnest(
      ${uuids(scans.map(({ wanted }) => wanted.profileId))}::uuid[],
      ${texts(scans.map(({ wanted }) => JSON.stringify(wanted.types)))}::text[],
      ${texts(scans.map(({ after }) => after.at))}::text[],
      ${uuids(scans.map(({ after }) => after.id))}::uuid[],
      ${texts(scans.map(({ wanted }) => timeText(isFirst ? wanted.to : wanted.from)))}::text[],
      ${integers(scans.map(({ wanted }) => (wanted.fromClient ? 1 : 0)))}::int[],
      ${integers(scans.map(({ most, found }) => most - found))}::int[])
      with ordinality as w (profile_id, types, after, after_id, ending, of_clients, most, n)
    cross join lateral (
      select
        coalesce(string_agg(id::text, ',' order by place) filter (where is_wanted), '') as ids,
        max(place || ' ' || id || ' ' || occurred_at) filter (where is_last) as last
      from (
        select * from (
          select id, occurred_at, row_number() over () as place, lead(true) over () is null as is_last,
            case when w.types::jsonb ? event_type
              then w.of_clients = 1 or (source ->> 'client') is distinct from 'true'
              else false
            end as is_wanted
          from (
            select id, event_type, occurred_at, source from event
            where store_id = ${storeId} and ${exactly('profile_id', 'w.profile_id')}
              and (profile_id, occurred_at, id) ${isFirst ? sql`>` : sql`<`} ${start} and ${ends}
            order by profile_id ${direction}, occurred_at ${direction}, id ${direction}
            limit ${sql.lit(limit)}
          ) as event
          offset 0
        ) as looked_at
        where is_wanted or is_last
        limit w.most
      ) as passed
    ) e
    order by w.n`.execute(db);
  const byNumber = new Map(rows.map((row) => [row.n, row]));
  for (const [i, scan] of scans.entries()) {
    const row = byNumber.get(i + 1);
    if (!row || (row.ids === '' && row.last === null)) scan.noteNone();
    else scan.note(row.ids === '' ? [] : row.ids.split(','), limit, lastOf(row.last));
  }
}

function lastOf(text: string | null): { n: number; at: string; id: string } | null {
  if (text === null) return null;
  const [n, id = '', ...time] = text.split(' ');
  return { n: Number(n), id, at: time.join(' ') };
}

/** Null where that is as good as no limit: a duration may be longer than there is a calendar for. */
function timeText(ms: number | null): string | null {
  return ms === null || ms < YEAR_1 ? null : new Date(ms).toISOString();
}
