import { sql } from 'kysely';
import type { Sql } from '../../db/sql.ts';

export interface DayOfSegment {
  /** `2026-11-25`, of UTC. */
  day: string;
  /** At the end of the day, or now. */
  members: number;
  entered: number;
  left: number;
}

/**
 * Returns how many members there were on each of the last days, the latest last; undefined if the store has no such
 * segment.
 */
export async function statsOf(db: Sql, storeId: string, id: string, days: number): Promise<DayOfSegment[] | undefined> {
  const { rows } = await sql<{ members: number; day: string | null; entered: number; left: number }>`
    select s.members::float8 as members, d.day::text as day, d.entered::float8 as entered, d."left"::float8 as "left"
    from segment s
    left join segment_day d on d.store_id = ${storeId} and d.segment_id = s.id
      and d.day > (now() at time zone 'UTC')::date - ${days}::int
    where s.store_id = ${storeId} and s.id = ${id}`.execute(db);
  const [first] = rows;
  if (!first) return undefined;
  const byDay = new Map(rows.map((row) => [row.day, row]));
  let { members } = first;
  const stats: DayOfSegment[] = [];
  const today = Temporal.Now.plainDateISO('UTC');
  for (let back = 0; back < days; back += 1) {
    const day = today.subtract({ days: back }).toString();
    const { entered, left } = byDay.get(day) ?? { entered: 0, left: 0 };
    stats.unshift({ day, members: Math.max(0, members), entered, left });
    members -= entered - left;
  }
  return stats;
}
