import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export interface DayOfSegment {
  /** At the end of the day; of today, now. */
  members: number;
  entered: number;
  left: number;
}

/** Days of UTC, counted from 1970, both included. */
interface Days {
  first: number;
  last: number;
}

/**
 * Returns how many members there were on each day of a range; undefined if the store has no such segment. They are
 * counted back from those that there are now.
 */
export async function statsOf(
  db: Sql,
  storeId: string,
  id: string,
  { first, last }: Days,
): Promise<DayOfSegment[] | undefined> {
  const { rows } = await sql<{ members: number; day: number | null; entered: number; left: number }>`
    select s.members::float8 as members, (d.day - '1970-01-01'::date) as day, d.entered::float8 as entered,
      d."left"::float8 as "left"
    from segment s
    left join segment_day d on d.store_id = ${storeId} and d.segment_id = s.id
      and d.day >= ${new Date(first * DAY_MS).toISOString()}::timestamptz::date
    where s.store_id = ${storeId} and s.id = ${id}
    order by d.day desc`.execute(db);
  const [segment] = rows;
  if (!segment) return undefined;
  const stats = Array.from({ length: last - first + 1 }, () => ({ members: 0, entered: 0, left: 0 }));
  let { members } = segment;
  let next = 0;
  for (let day = last; day >= first; day -= 1) {
    // What came after the day is not in it.
    for (let row = rows[next]; row && row.day !== null && row.day > day; row = rows[++next]) {
      members -= row.entered - row.left;
    }
    const row = rows[next];
    const { entered, left } = row && row.day === day ? row : { entered: 0, left: 0 };
    stats[day - first] = { members: Math.max(0, members), entered, left };
  }
  return stats;
}
