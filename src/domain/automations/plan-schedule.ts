import { sql } from 'kysely';
import type { RawJson } from '../../db/raw-json.ts';
import type { Sql } from '../../db/sql.ts';
import type { Violation } from '../service-error.ts';
import type { Definition } from './core/definition/definition.ts';
import { scheduledAudience } from './core/definition/uses.ts';
import { nextOccurrence, scheduleZone } from './core/time/schedules.ts';
import { changeDue, deletePlanned, insertOccurrence, lastDay } from './stored/occurrences.ts';

export interface Scheduling {
  automationId: string;
  version: number;
  definition: Definition;
  /** That of the store; null if it has none. */
  storeZone: string | null;
}

/** Plans the next day of a schedule, of whatever kind the one before was; nothing is planned where there is none. */
export async function planSchedule(
  tx: Sql,
  storeId: string,
  { automationId, version, definition, storeZone }: Scheduling,
): Promise<void> {
  const now = Date.now();
  await deletePlanned(tx, storeId, automationId, now);
  const { trigger } = definition;
  const audience = scheduledAudience(definition);
  if (trigger.type !== 'schedule' || !audience) return;
  const timeZone = scheduleZone(trigger, storeZone);
  const planned = { automationId, version, timeZone, audience };
  // Whoever begins it plans the next.
  if (await changeDue(tx, storeId, planned)) return;
  const next = nextOccurrence(trigger, timeZone, now, await lastDay(tx, storeId, automationId));
  if (next) await insertOccurrence(tx, storeId, { ...planned, ...next });
}

/** Returns why a schedule would never start anybody; one that has had its day may still be published anew. */
export async function scheduleProblems(
  tx: Sql,
  storeId: string,
  { automationId, definition: { trigger }, storeZone }: Omit<Scheduling, 'version'>,
): Promise<Violation[]> {
  if (trigger.type !== 'schedule' || trigger.repeat !== 'once') return [];
  const zone = scheduleZone(trigger, storeZone);
  const isToCome = nextOccurrence(trigger, zone, Date.now()) !== undefined;
  return isToCome || (await lastDay(tx, storeId, automationId)) === trigger.date
    ? []
    : [{ path: ['trigger', 'date'], problem: 'must not be past' }];
}

/** Plans anew what is meant by the clock of the store, in the caller's transaction, which changes it. */
export async function rezoneSchedules(tx: Sql, storeId: string, storeZone: string | null): Promise<void> {
  const { rows } = await sql<{ automationId: string; version: number; definition: RawJson }>`
    select a.id as "automationId", a.version, v.definition
    from automation a
    join automation_version v on v.store_id = a.store_id and v.automation_id = a.id and v.number = a.version
    where a.store_id = ${storeId} and v.store_id = ${storeId} and a.status in ('live', 'paused')
      and a.trigger ->> 'type' = 'schedule' and a.trigger ->> 'time_zone' is null
    order by a.id
    for update of a`.execute(tx);
  for (const { definition, ...automation } of rows) {
    await planSchedule(tx, storeId, { ...automation, definition: definition.parse<Definition>(), storeZone });
  }
}
