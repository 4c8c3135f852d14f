import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Trigger } from '../core/definition/definition.ts';
import type { Occasion } from '../core/time/dates.ts';
import { occurrencesFrom } from '../core/time/schedules.ts';
import { readOccurrences, type StoredOccurrence } from '../stored/occurrences.ts';

/** When an automation starts its members next, and what became of earlier times. */
export interface Schedule {
  timeZone: string;
  /** Empty if there are none. */
  upcoming: Occasion[];
  /** The latest first. */
  past: StoredOccurrence[];
}

const [MAX_UPCOMING, MAX_PAST] = [5, 10];

/** Undefined unless the trigger of the latest version is a schedule. */
export async function readSchedule(db: Sql, storeId: string, id: string): Promise<Schedule | undefined> {
  const { rows } = await sql<{ trigger: RawJson }>`
    select trigger from automation
    where store_id = ${storeId} and id = ${id} and version is not null and trigger ->> 'type' = 'schedule'`.execute(db);
  const trigger = rows[0]?.trigger.parse<Trigger>();
  if (trigger?.type !== 'schedule') return undefined;
  const all = await readOccurrences(db, storeId, id, { limit: MAX_PAST + 1 });
  const planned = all.find(({ status }) => status === 'planned');
  const { timeZone } = all[0] ?? { timeZone: trigger.time_zone ?? 'UTC' };
  const upcoming = planned ? occurrencesFrom(trigger, planned.timeZone, planned, MAX_UPCOMING) : [];
  return {
    timeZone,
    upcoming: upcoming.map(({ day, dueAt }) => ({ day, dueAt })),
    past: all.filter(({ status }) => status !== 'planned').slice(0, MAX_PAST),
  };
}
