import { compare } from '../../../conditions/compare.ts';
import { evaluate, type Finding } from '../../../conditions/evaluate.ts';
import { HistoryTooLong } from '../../../conditions/facts-needed.ts';
import { lookUp } from '../../../conditions/lookup.ts';
import { seen } from '../../../conditions/seen.ts';
import { durationMs } from '../../../time/duration.ts';
import { type Definition, type ProfileChangeTrigger, reentryOf } from '../definition/definition.ts';
import { segmentOf, triggerChannelOf, triggerListOf } from '../definition/uses.ts';
import type { Automation, AutomationStatus, Version } from './automation.ts';
import { nextDate, planDate } from './date-plan.ts';
import type { Occurrence, SegmentMove } from './input.ts';
import { CLOCK_SKEW, keyOf } from './matching.ts';
import { capturedOf, originOf, propertiesOf } from './origin.ts';
import { waitingAt } from './position.ts';
import type { Run } from './run.ts';
import { RECOMPUTED, type SkipDetail, type SkipReason } from './skip.ts';
import type { Work } from './work.ts';

export type EntryDecision =
  | { entered: true; key: string | null; enrolmentKey: string }
  | { entered: false; reason: SkipReason; detail: SkipDetail };

/** Automations that lead to one another, one after the other. */
export const MAX_DEPTH = 6;
/** Of one customer in one automation: whatever happens to the customer, all of them are looked at. */
export const MAX_ACTIVE_RUNS = 1_000;
const DEFAULT_MAX_AGE = 'P1D';

type Check = (work: Work, definition: Definition, occurrence: Occurrence) => SkipDetail | undefined;

const CHECKS: [SkipReason, Check][] = [
  ['not_live', ({ context: { automation } }) => where(!isOpen(automation.status))],
  ['backfill', (_, __, occurrence) => where(isHistory(occurrence))],
  ['from_client', (_, definition, occurrence) => where(isUnwantedOfClient(definition, occurrence))],
  ['filter', (_, definition, occurrence) => filtered(definition, occurrence)],
  ['date_moved', (work, definition, occurrence) => where(isDateMoved(work, definition, occurrence))],
  ['future', (work, _, occurrence) => where(originOf(occurrence, work.profileId).at > work.now + CLOCK_SKEW)],
  ['late', (work, definition, occurrence) => where(isLate(work, definition, occurrence))],
  ['paused', ({ context: { automation } }) => where(automation.status === 'paused')],
  ['no_longer', (_, __, occurrence) => where(occurrence.type === 'catalog' && occurrence.isOver)],
  ['no_key', (_, definition, occurrence) => where(!!definition.key && runKey(definition, occurrence) === null)],
  ['entry_condition', (work, definition, occurrence) => refused(work, definition, occurrence)],
  ['reentry', (work, definition, occurrence) => placeTaken(work, definition, occurrence)],
  ['too_many_runs', ({ activeCount }) => where(activeCount >= MAX_ACTIVE_RUNS)],
  ['chain_too_long', (_, __, occurrence) => where(depthOf(occurrence) >= MAX_DEPTH)],
  ['chain_too_wide', (_, __, occurrence) => where('isCut' in occurrence && occurrence.isCut === true)],
];

/** Decides whether a run starts; undefined if the trigger is not about such an occurrence at all. */
function decideEntry(work: Work, definition: Definition, occurrence: Occurrence): EntryDecision | undefined {
  if (!isTriggerOf(definition, occurrence)) return undefined;
  for (const [reason, check] of CHECKS) {
    const detail = check(work, definition, occurrence);
    if (detail) return { entered: false, reason, detail };
  }
  const key = runKey(definition, occurrence);
  return { entered: true, key, enrolmentKey: enrolmentKeyOf(definition, occurrence) };
}

/**
 * Whether something may start a run, or has to be noted as one that did not: whether it passes the checks that come first,
 * which need to know nothing of its customer and of which nothing is noted.
 */
export function mayEnter({ version, versions, status }: Automation, occurrence: Occurrence): boolean {
  const definition = version === null ? undefined : versions.get(version)?.definition;
  if (!definition || isHistory(occurrence) || !isOpen(status) || !isTriggerOf(definition, occurrence)) return false;
  return !isUnwantedOfClient(definition, occurrence) && filtered(definition, occurrence) === undefined;
}

function isOpen(status: AutomationStatus): boolean {
  return status === 'live' || status === 'paused';
}

/** Under which key re-entry is decided: `''` for all runs of the customer. The state must have that enrolment. */
export function enrolmentKeyOf(definition: Definition, occurrence: Occurrence): string {
  const { per } = reentryOf(definition);
  return per === 'key' ? (runKey(definition, occurrence) ?? '') : '';
}

function depthOf(occurrence: Occurrence): number {
  if (occurrence.type === 'event') return occurrence.event.depth;
  if (occurrence.type === 'segment') return occurrence.move.depth;
  return occurrence.type === 'change' ? occurrence.change.depth : 0;
}

function where(skipped: boolean): SkipDetail | undefined {
  return skipped ? {} : undefined;
}

function isTriggerOf(definition: Definition, occurrence: Occurrence): boolean {
  const { trigger } = definition;
  switch (trigger.type) {
    case 'event':
      return occurrence.type === 'event' && occurrence.event.eventType === trigger.event_type;
    case 'profile_change':
      return occurrence.type === 'change' && Object.hasOwn(occurrence.change.changes, trigger.attribute);
    case 'segment_entry':
      if (occurrence.type === 'member') return occurrence.segmentId === segmentOf(definition);
      return isMove(definition, occurrence, 'entered');
    case 'segment_exit':
      return isMove(definition, occurrence, 'left');
    case 'list_joined':
      return isListMove(definition, occurrence, true);
    case 'list_left':
      return isListMove(definition, occurrence, false);
    case 'consent_given':
      return isChoice(definition, occurrence, true);
    case 'consent_withdrawn':
      return isChoice(definition, occurrence, false);
    case 'date':
      return occurrence.type === 'date';
    case 'catalog':
      return occurrence.type === 'catalog' && occurrence.change.kind === trigger.change;
    case 'schedule':
      return occurrence.type === 'schedule';
    case 'manual':
      return occurrence.type === 'enrol';
  }
}

function isHistory(occurrence: Occurrence): boolean {
  if (occurrence.type === 'event') return occurrence.event.backfill;
  return occurrence.type === 'change' && occurrence.change.isHistorical === true;
}

/** Whether anybody may have caused it, and the trigger takes only what the store says itself. */
function isUnwantedOfClient({ trigger }: Definition, occurrence: Occurrence): boolean {
  if (trigger.type === 'event') return occurrence.type === 'event' && isUnwanted(trigger, occurrence.event);
  if (occurrence.type !== 'change') return false;
  switch (trigger.type) {
    case 'profile_change':
    case 'consent_given':
    case 'consent_withdrawn':
      return isUnwanted(trigger, occurrence.change);
    default:
      return false;
  }
}

function isUnwanted(trigger: { from_client?: boolean }, { fromClient = false }: { fromClient?: boolean }): boolean {
  return fromClient && trigger.from_client !== true;
}

function isListMove(definition: Definition, occurrence: Occurrence, isMember: boolean): boolean {
  const moved = occurrence.type === 'change' ? occurrence.change.moved : undefined;
  return moved?.kind === 'list' && moved.isMember === isMember && moved.id === triggerListOf(definition);
}

function isChoice(definition: Definition, occurrence: Occurrence, isGiven: boolean): boolean {
  const chose = occurrence.type === 'change' ? occurrence.change.chose : undefined;
  return chose?.isGiven === isGiven && chose.channel === triggerChannelOf(definition);
}

function isMove(definition: Definition, occurrence: Occurrence, kind: SegmentMove['kind']): boolean {
  if (occurrence.type !== 'segment') return false;
  return occurrence.move.kind === kind && occurrence.move.segmentId === segmentOf(definition);
}

function filtered({ trigger }: Definition, occurrence: Occurrence): SkipDetail | undefined {
  if (trigger.type === 'event' && trigger.filter) {
    const now = occurrence.type === 'event' ? occurrence.event.occurredAt : 0;
    const { holds, leaf } = evaluate(trigger.filter, { properties: propertiesOf(occurrence), now });
    return holds ? undefined : { leaf };
  }
  if (trigger.type !== 'profile_change' || occurrence.type !== 'change') return undefined;
  const { from, to } = occurrence.change.changes[trigger.attribute] ?? {};
  return unlike(trigger, 'from', from) ?? unlike(trigger, 'to', to);
}

function unlike(trigger: ProfileChangeTrigger, side: 'from' | 'to', value: unknown): SkipDetail | undefined {
  const wanted = trigger[side];
  if (!wanted || compare(value ?? undefined, wanted)) return undefined;
  const leaf: Finding = { path: ['trigger', side], leaf: { attribute: trigger.attribute, ...wanted } };
  return { leaf: value === undefined ? leaf : { ...leaf, saw: seen(value) } };
}

/** The customer's date may have changed since it was planned. */
function isDateMoved(work: Work, definition: Definition, occurrence: Occurrence): boolean {
  const { trigger } = definition;
  if (trigger.type !== 'date' || occurrence.type !== 'date') return false;
  const planned = occurrence.occasion;
  const next = nextDate(definition, work.profile().attributes, planned.dueAt - 1);
  return next?.dueAt !== planned.dueAt || next.day !== planned.day;
}

function isLate({ now }: Work, { trigger }: Definition, occurrence: Occurrence): boolean {
  // Of a schedule, whoever walks through the members looks at the time.
  if (occurrence.type === 'enrol' || occurrence.type === 'schedule') return false;
  const maxAge = (trigger.type === 'event' && trigger.max_age) || DEFAULT_MAX_AGE;
  return now - originOf(occurrence, '').at > durationMs(maxAge);
}

/** That of what happens to an item is the item. */
function runKey({ key }: Definition, occurrence: Occurrence): string | null {
  if (occurrence.type === 'catalog') return occurrence.change.itemId;
  return (key && keyOf(lookUp(propertiesOf(occurrence), key.property))) ?? null;
}

function refused(work: Work, definition: Definition, occurrence: Occurrence): SkipDetail | undefined {
  if (!definition.entry_condition) return undefined;
  const trigger = originOf(occurrence, work.profileId);
  const { holds, leaf } = evaluate(definition.entry_condition, work.subject(propertiesOf(occurrence), trigger));
  return holds ? undefined : { leaf };
}

function placeTaken(work: Work, definition: Definition, occurrence: Occurrence): SkipDetail | undefined {
  if (occurrence.type === 'date' && occurrence.startedRunId) return { runId: occurrence.startedRunId };
  const { mode, min_interval } = reentryOf(definition);
  const enrolment = work.enrolment(enrolmentKeyOf(definition, occurrence));
  if (!enrolment || enrolment.starts === 0) return undefined;
  const { activeRunId, lastStartedAt } = enrolment;
  if (mode === 'once') return activeRunId === null ? {} : { runId: activeRunId };
  if (mode === 'one_at_a_time' && activeRunId !== null) return { runId: activeRunId };
  const freeAt = lastStartedAt + durationMs(min_interval ?? 'P0D');
  return originOf(occurrence, work.profileId).receivedAt < freeAt ? { freeAt } : undefined;
}

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
  const { mode, min_interval } = reentryOf(definition);
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
