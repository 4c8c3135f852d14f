import { type RawBuilder, sql } from 'kysely';
import { integers, jsonbs, texts, timestamps, uuids } from '../../../db/binary-arrays.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Log } from '../../../process/log.ts';
import { steps as joinStatements } from '../../write/insert.ts';
import type { Effect } from '../core/machine/effects.ts';
import type { Enrolment, Run } from '../core/machine/run.ts';
import type { TimelineEntry } from '../core/machine/timeline.ts';
import { Counts } from '../stored/counts.ts';
import { deleteDates, upsertDates } from '../stored/dates.ts';
import { insertEnrolments, type StoredEnrolment, updateEnrolments } from '../stored/enrolments.ts';
import { insertRuns, type StoredRun, updateRuns } from '../stored/runs.ts';
import type { Entrant, EntrantInput } from './entrant.ts';

type Written = Pick<Entrant, 'automationId' | 'profileId' | 'before' | 'inputs' | 'reactions'>;
type Skip = Extract<Effect, { type: 'skip' }> & Pick<Entrant, 'automationId' | 'profileId'>;

/** Writes what has come of entrants; those on whom an automation failed are logged. `what` it failed on. */
export async function writeSound(
  tx: Sql,
  storeId: string,
  entrants: readonly Entrant[],
  { log, what, now }: { log: Log; what: string; now: number },
): Promise<void> {
  for (const { automationId, fault } of entrants) {
    if (fault) log.error({ err: fault, automation_id: automationId }, `an automation failed on ${what}`);
  }
  const sound = entrants.filter(({ fault }) => !fault);
  await writeEntrants(tx, storeId, sound, now);
}

/** Collects what has come of entrants, for one statement that writes all but what runs did to profiles and events. */
export async function writeEntrants(
  tx: Sql,
  storeId: string,
  entrants: readonly Written[],
  now: number,
): Promise<void> {
  const [created, changed]: [StoredRun[], StoredRun[]] = [[], []];
  const [enrolled, enrolments]: [StoredEnrolment[], StoredEnrolment[]] = [[], []];
  const timeline: TimelineEntry[] = [];
  const skips: Skip[] = [];
  const counts = new Counts(now);
  for (const { automationId, profileId, before, inputs, reactions } of entrants) {
    const entries = reactions.flatMap((reaction) => reaction.timeline);
    timeline.push(...entries);
    for (const run of lastOf(reactions.flatMap(({ runs }) => runs))) {
      const earlier = before.runs.find(({ id }) => id === run.id);
      (earlier ? changed : created).push({ automationId, run });
      const hasGoal = ({ automation }: EntrantInput) =>
        automation.versions.get(run.version)?.definition.goal !== undefined;
      if (!earlier && inputs.some(hasGoal)) counts.addWithGoal(automationId, run);
      counts.addRun(
        automationId,
        earlier,
        run,
        entries.filter(({ runId }) => runId === run.id),
      );
    }
    for (const enrolment of lastOf(reactions.flatMap((reaction) => reaction.enrolments))) {
      const isKnown = before.enrolments.some(({ key }) => key === enrolment.key);
      (isKnown ? enrolments : enrolled).push({ automationId, profileId, enrolment });
    }
    for (const effect of reactions.flatMap(({ effects }) => effects)) {
      if (effect.type !== 'skip') continue;
      skips.push({ ...effect, automationId, profileId });
      counts.addSkip(automationId, effect.reason);
    }
  }
  const statements = [
    created.length > 0 && insertRuns(storeId, created),
    changed.length > 0 && updateRuns(storeId, changed),
    enrolled.length > 0 && insertEnrolments(storeId, enrolled),
    enrolments.length > 0 && updateEnrolments(storeId, enrolments),
    timeline.length > 0 && insertTimeline(storeId, timeline),
    skips.length > 0 && insertSkips(storeId, skips, now),
    counts.insertion(storeId),
  ].filter((statement) => statement !== false && statement !== undefined);
  if (statements.length > 0) await sql`with ${joinStatements(statements)} select`.execute(tx);
  await writeDates(tx, storeId, entrants, now);
}

/** The last state of each run or enrolment. */
function lastOf<One extends Run | Enrolment>(all: readonly One[]): One[] {
  return [...new Map(all.map((one) => ['id' in one ? one.id : one.key, one])).values()];
}

function insertTimeline(storeId: string, entries: readonly TimelineEntry[]): RawBuilder<unknown> {
  return sql`
    insert into automation_step (store_id, run_id, seq, step_id, at, outcome, detail)
    select ${storeId}::uuid, *
    from unnest(
      ${uuids(entries.map(({ runId }) => runId))}::uuid[],
      ${integers(entries.map(({ seq }) => seq))}::int[],
      ${texts(entries.map(({ stepId }) => stepId))}::text[],
      ${timestamps(entries.map(({ at }) => new Date(at)))}::timestamptz[],
      ${texts(entries.map(({ outcome }) => outcome))}::text[],
      ${jsonbs(entries.map(({ runId, seq, stepId, at, outcome, ...detail }) => detail))}::jsonb[])`;
}

function insertSkips(storeId: string, skips: readonly Skip[], now: number): RawBuilder<unknown> {
  return sql`
    insert into automation_skip (store_id, automation_id, trigger_id, profile_id, reason, detail, skipped_at)
    select ${storeId}::uuid, automation_id, trigger_id, profile_id, reason, detail, ${new Date(now).toISOString()}::timestamptz
    from unnest(
      ${uuids(skips.map(({ automationId }) => automationId))}::uuid[],
      ${texts(skips.map(({ triggerId }) => triggerId))}::text[],
      ${uuids(skips.map(({ profileId }) => profileId))}::uuid[],
      ${texts(skips.map(({ reason }) => reason))}::text[],
      ${jsonbs(skips.map(({ detail }) => detail))}::jsonb[]) as s (automation_id, trigger_id, profile_id, reason, detail)
    on conflict do nothing`;
}

/** When customers' dates are due next: the last word of each entrant. */
async function writeDates(tx: Sql, storeId: string, entrants: readonly Written[], now: number): Promise<void> {
  const planned = entrants.flatMap(({ automationId, profileId, inputs, reactions }) => {
    const last = reactions.flatMap(({ effects }) => effects).findLast((effect) => effect.type === 'schedule_date');
    const version = inputs.at(-1)?.automation.version ?? 0;
    return last ? [{ automationId, profileId, version, occasion: last.occasion }] : [];
  });
  await deleteDates(
    tx,
    storeId,
    planned.filter(({ occasion }) => !occasion),
    now,
  );
  await upsertDates(
    tx,
    storeId,
    planned.flatMap(({ occasion, ...date }) => (occasion ? [{ ...date, ...occasion }] : [])),
    now,
  );
}
