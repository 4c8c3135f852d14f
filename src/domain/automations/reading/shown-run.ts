import { sql } from 'kysely';
import type { RawJson } from '../../../db/raw-json.ts';
import type { Origin, Run, Waiting } from '../core/machine/run.ts';

/** A run as people are shown it: without what it keeps of its event. Times are milliseconds. */
export interface ShownRun
  extends Pick<
    Run,
    | 'id'
    | 'version'
    | 'profileId'
    | 'key'
    | 'status'
    | 'stepId'
    | 'trigger'
    | 'dueAt'
    | 'waiting'
    | 'attempts'
    | 'startedAt'
    | 'endedAt'
    | 'reason'
  > {
  automationId: string;
}

/** As a query returns it. */
export interface ShownRunRow extends Omit<ShownRun, 'trigger' | 'waiting'> {
  origin: RawJson;
  waiting: RawJson | null;
}

/** Columns to select from `automation_run r` for a `ShownRunRow`. */
export const SHOWN_RUN_COLUMNS = sql`
  r.id, r.automation_id as "automationId", r.version, r.profile_id as "profileId", r.key, r.origin, r.status,
  r.step_id as "stepId", (extract(epoch from r.due_at) * 1000)::float8 as "dueAt", r.waiting, r.attempts,
  (extract(epoch from r.started_at) * 1000)::float8 as "startedAt",
  (extract(epoch from r.ended_at) * 1000)::float8 as "endedAt", r.reason`;

export function shownRunFromRow({ origin, waiting, ...row }: ShownRunRow): ShownRun {
  const found = waiting?.parse<Waiting>() ?? null;
  return { ...row, trigger: origin.parse<Origin>(), waiting: found?.for === 'step' ? null : found };
}
