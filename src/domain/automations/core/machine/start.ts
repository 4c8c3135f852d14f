import { HistoryTooLong } from '../../../conditions/facts-needed.ts';
import { DEFAULT_REENTRY, type Definition } from '../definition/definition.ts';
import type { Version } from './automation.ts';
import { planDate } from './date-plan.ts';
import { decideEntry, depthOf, type EntryDecision } from './entry.ts';
import type { Occurrence } from './input.ts';
import { capturedOf, originOf } from './origin.ts';
import { waitingAt } from './position.ts';
import type { Run } from './run.ts';
import { RECOMPUTED } from './skip.ts';
import type { Work } from './work.ts';

/**
 * Starts a run, or says why not: where somebody asked for it always, else where it can't be found out later. The run
 * takes no step yet: that is for when it is due, which is at once.
 */
export function enter(work: Work, occurrence: Occurrence): void {
  const { automation } = work.context;
  const version = automation.version === null ? undefined : automation.versions.get(automation.version);
  if (!version) return;
  const entry = entryOf(work, version.definition, occurrence);
  if (entry?.entered) start(work, version, occurrence, entry);
  else if (entry && (occurrence.type === 'enrol' || !RECOMPUTED.has(entry.reason))) {
    const triggerId = originOf(occurrence, work.profileId).id;
    work.effect({ type: 'skip', triggerId, reason: entry.reason, detail: entry.detail });
  }
  if (occurrence.type === 'date') planDate(work, version.definition, occurrence.occasion.dueAt);
}

/** The decision about an entry alone; undefined if the trigger is not about such an occurrence. */
export function entryOf(work: Work, definition: Definition, occurrence: Occurrence): EntryDecision | undefined {
  try {
    return decideEntry(work, definition, occurrence);
  } catch (error) {
    if (error instanceof HistoryTooLong) return { entered: false, reason: 'history_too_long', detail: {} };
    throw error;
  }
}

type Entered = Extract<EntryDecision, { entered: true }>;

function start(work: Work, version: Version, occurrence: Occurrence, { key, enrolmentKey }: Entered): void {
  const { number, definition } = version;
  const { mode, min_interval } = definition.reentry ?? DEFAULT_REENTRY;
  const trigger = originOf(occurrence, work.profileId);
  const captured = capturedOf(occurrence, definition);
  const enrolment = work.enrolment(enrolmentKey);
  if (mode === 'restart' && enrolment?.activeRunId) {
    const running = work.enrolledRun(enrolment.activeRunId);
    if (running?.status === 'active') work.end(running, 'restarted', { by: trigger.id });
  }
  // Where any number of runs may start at any time, there is nothing to know.
  if (mode !== 'every_time' || min_interval) {
    const lastStartedAt = Math.max(trigger.receivedAt, enrolment?.lastStartedAt ?? trigger.receivedAt);
    const starts = (enrolment?.starts ?? 0) + 1;
    // A run that shuts nobody out takes nobody's place, nor would it leave it at its end.
    const activeRunId = mode === 'every_time' ? (enrolment?.activeRunId ?? null) : occurrence.runId;
    work.enrol({ key: enrolmentKey, lastStartedAt, activeRunId, starts });
  }
  const run: Run = {
    id: occurrence.runId,
    profileId: work.profileId,
    version: number,
    key,
    enrolmentKey: mode === 'every_time' ? null : enrolmentKey,
    trigger,
    captured,
    coupon: null,
    results: null,
    depth: depthOf(occurrence),
    status: 'active',
    stepId: definition.start,
    seq: 0,
    dueAt: work.now,
    waiting: waitingAt(definition, trigger.eventId === null ? undefined : trigger.at),
    consumed: trigger.eventId === null ? [] : [trigger.eventId],
    attempts: 0,
    seenAt: null,
    startedAt: work.now,
    endedAt: null,
    reason: null,
  };
  const { omitted } = captured;
  const detail = omitted.length > 0 ? { omitted } : {};
  work.record(run, { outcome: 'started', trigger: trigger.id, key, version: number, ...detail }, {});
}
