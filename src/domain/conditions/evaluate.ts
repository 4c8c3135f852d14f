import { durationMs } from '../time/duration.ts';
import { parseMoment } from '../time/moment.ts';
import { type Audience, audienceOf } from './audience.ts';
import { compare } from './compare.ts';
import { compareIdentifier } from './compare-identifier.ts';
import type { Comparison, Name } from './comparison.ts';
import {
  boundsOf,
  type Condition,
  type Did,
  type Leaf,
  type LeafKind,
  type LeafKinds,
  type ListLeaf,
  leafKind,
  type NumberComparison,
  type SegmentLeaf,
  type ShareLeaf,
} from './condition.ts';
import { dateBounds, isWithin, zoneOfDays } from './dates.ts';
import { type ConditionNeed, HistoryTooLong, MissingFacts } from './facts-needed.ts';
import { matchItems } from './items.ts';
import { lookUp, lookUpInLists } from './lookup.ts';
import { COUNT, measuredIn } from './measure.ts';
import { seen } from './seen.ts';
import { isInShare, placeOf } from './share.ts';
import { consentIn, type Standing } from './standing.ts';
import type { History, HistoryQuestion, JsonObject, Profile, Subject } from './subject.ts';
import { leavesOf, type Path } from './tree.ts';
import { spanAt } from './windows.ts';

/** Whether a condition holds, and the leaf that decided it, for people to read. */
export interface Verdict {
  holds: boolean;
  /** Null where `all` or `any` of nothing decided. */
  leaf: Finding | null;
}

export interface Finding {
  /** From the condition's root. */
  path: Path;
  leaf: Leaf;
  /** What was there: the value, shortened if it is long, the count, or the membership; absent if there was none. */
  saw?: unknown;
}

/**
 * Evaluates a condition, from left to right until it is decided. Throws `MissingFacts` with all questions whose answers
 * could decide it, if nothing else does.
 */
export function evaluate(condition: Condition, subject: Subject): Verdict {
  const result = walk(condition, subject, []);
  if ('holds' in result) return result;
  throw new MissingFacts(result.needs);
}

type Result = Verdict | { needs: ConditionNeed[] };

function walk(condition: Condition, subject: Subject, path: Path): Result {
  if ('all' in condition) return first(condition.all, false, subject, [...path, 'all']);
  if ('any' in condition) return first(condition.any, true, subject, [...path, 'any']);
  if ('not' in condition) {
    const result = walk(condition.not, subject, [...path, 'not']);
    return 'holds' in result ? { ...result, holds: !result.holds } : result;
  }
  return evaluateLeaf(condition, subject, path);
}

/** The first part that is `deciding` decides; what has to be looked up is left for the case that none is. */
function first(parts: readonly Condition[], deciding: boolean, subject: Subject, path: Path): Result {
  const needs: ConditionNeed[] = [];
  let last: Verdict = { holds: !deciding, leaf: null };
  for (const [i, part] of parts.entries()) {
    const result = walk(part, subject, [...path, i]);
    if (!('holds' in result)) needs.push(...result.needs);
    else if (result.holds === deciding) return result;
    else last = result;
  }
  return needs.length > 0 ? { needs } : last;
}

type Evaluators = { [Kind in LeafKind]: (leaf: LeafKinds[Kind], subject: Subject, path: Path) => Result };

const EVALUATORS: Evaluators = {
  property: (leaf, { properties }, path) => decide(leaf, lookUp(properties, leaf.property), path),
  from: (leaf, { steps }, path) => decide(leaf, lookUpInLists({ steps }, resultPath(leaf.from)), path),
  items: (leaf, { properties }, path) => {
    const { property, where, match = 'any' } = leaf.items;
    const value = lookUp(properties, property);
    // An item that is no object has no properties.
    const ofItem = (item: unknown) => evaluate(where, { properties: item as JsonObject }).holds;
    const { holds, item } = matchItems(value, match, ofItem);
    const saw = item ?? value;
    return { holds, leaf: { path, leaf, ...(saw === undefined ? {} : { saw: seen(saw) }) } };
  },
  attribute: (leaf, subject, path) => decide(leaf, lookUp(profileOf(subject).attributes, leaf.attribute), path),
  identifier: (leaf, subject, path) => {
    const value = lookUp(profileOf(subject).identifiers, leaf.identifier);
    return decide(leaf, value, path, compareIdentifier(leaf.identifier, value, leaf));
  },
  date: (leaf, subject, path) => {
    const { date } = leaf;
    const { attribute, property, time_zone: zone } = date;
    if (subject.now === undefined) throw new TypeError('Nobody knows here which day it is');
    const value =
      attribute === undefined
        ? lookUp(subject.properties, property as Name)
        : lookUp(profileOf(subject).attributes, attribute);
    const moment = parseMoment(value);
    if (moment === undefined)
      return { holds: false, leaf: { path, leaf, ...(value === undefined ? {} : { saw: seen(value) }) } };
    const ownZone = typeof zone === 'object' ? lookUp(profileOf(subject).attributes, zone.attribute) : undefined;
    const bounds = dateBounds(date, subject.now, zoneOfDays(zone, ownZone));
    return { holds: isWithin(bounds, value as string, moment), leaf: { path, leaf, saw: value } };
  },
  did: (leaf, { history }, path) => {
    if (!history) throw new TypeError('There is no history here');
    const question = questionOf(leaf.did, history);
    const answer = history.count(question);
    if (answer === undefined) return { needs: [{ type: 'count', question }] };
    if (answer === 'too_long') throw new HistoryTooLong(leaf.did.event_type);
    const total = typeof answer === 'number' ? answer : answer.value;
    const holds = total !== undefined && boundsOf(leaf.did).every((bound) => compare(total, bound));
    return { holds, leaf: { path, leaf, ...(total === undefined ? {} : { saw: total }) } };
  },
  profile: (leaf, { times }, path) => {
    if (!times) throw new TypeError('Nothing is known here of when the profile came to be');
    const time = leaf.profile.time === 'created_at' ? times.createdAt : times.lastEventAt;
    const { after, until } = spanAt(leaf.profile.window, times.now);
    const holds = time !== undefined && (after === null || time > after) && time <= until;
    return { holds, leaf: { path, leaf, ...(time === undefined ? {} : { saw: time }) } };
  },
  list: belongs,
  segment: belongs,
  share: inShare,
  consent: (leaf, subject, path) => {
    const consents = standingOf(subject).consents();
    if (consents === undefined) return { needs: [{ type: 'consents' }] };
    const { status, suppressed } = consentIn(consents, leaf.consent.channel);
    const isAboutSuppression = leaf.consent.status === 'suppressed';
    const saw = isAboutSuppression && suppressed ? 'suppressed' : status;
    return { holds: saw === leaf.consent.status, leaf: { path, leaf, saw } };
  },
};

function inShare(leaf: ShareLeaf, subject: Subject, path: Path): Result {
  const place = placeOf(profileOf(subject).id, leaf.share.name);
  return { holds: isInShare(leaf.share, place), leaf: { path, leaf, saw: place } };
}

/** `steps.score.answer.tier`, or a list where a name contains a dot. */
export function resultPath(from: Name): readonly string[] {
  return typeof from === 'string' ? from.split('.') : from;
}

function belongs(leaf: ListLeaf | SegmentLeaf, subject: Subject, path: Path): Result {
  const audience = audienceOf(leaf) as Audience;
  const isMember = standingOf(subject).isMember(audience);
  if (isMember === undefined) return { needs: [{ type: 'membership', audience }] };
  return { holds: isMember, leaf: { path, leaf, saw: isMember } };
}

function evaluateLeaf(leaf: Leaf, subject: Subject, path: Path): Result {
  const evaluator = EVALUATORS[leafKind(leaf)] as (leaf: Leaf, subject: Subject, path: Path) => Result;
  return evaluator(leaf, subject, path);
}

function decide(
  leaf: Extract<Leaf, Comparison>,
  value: unknown,
  path: Path,
  holds: boolean = compare(value, leaf),
): Verdict {
  return { holds, leaf: { path, leaf, ...(value === undefined ? {} : { saw: seen(value) }) } };
}

function profileOf({ profile }: Subject): Profile {
  if (!profile) throw new TypeError('There is no profile here');
  return profile();
}

function standingOf({ standing }: Subject): Standing {
  if (!standing) throw new TypeError('Nothing is known here of lists, segments and consent');
  return standing;
}

function questionOf(did: Did, { now, since, triggerEventId }: History): HistoryQuestion {
  const { measure } = measuredIn(did) ?? { measure: COUNT };
  return {
    eventType: did.event_type,
    ...timesOf(did, now, since),
    enough: measure.of === 'count' ? Math.max(...boundsOf(did).map(decidingCount)) : Number.POSITIVE_INFINITY,
    ...(measure.of === 'count' ? {} : { measure }),
    ...(did.filter ? { filter: did.filter } : {}),
    ...(did.filter && asksForDates(did.filter) ? { askedAt: now } : {}),
    ...(did.from_client ? { fromClient: true } : {}),
    ...(did.since === 'trigger' && triggerEventId !== undefined ? { except: triggerEventId } : {}),
  };
}

function timesOf({ since, within, window }: Did, now: number, trigger: number): Pick<HistoryQuestion, 'from' | 'to'> {
  if (since === 'trigger') return { from: trigger, to: now };
  if (within !== undefined) return { from: now - durationMs(within), to: now };
  const { after, until } = spanAt(window, now);
  return { from: after === null ? null : after + 1, to: until };
}

function asksForDates(filter: Condition): boolean {
  return [...leavesOf(filter)].some(({ leaf }) => 'date' in leaf);
}

/** With so many, whether more come makes no difference. */
function decidingCount({ op, value }: NumberComparison): number {
  return Math.max(0, op === 'gte' ? Math.ceil(value) : Math.floor(value) + 1);
}
