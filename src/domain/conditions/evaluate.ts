import { durationMs } from '../time/duration.ts';
import { parseMoment } from '../time/moment.ts';
import { type Audience, audienceOf } from './audience.ts';
import { compare } from './compare.ts';
import { compareIdentifier } from './compare-identifier.ts';
import type { Comparison, Name } from './comparison.ts';
import {
  boundsOf,
  type Compared,
  type Condition,
  type IdentifierLeaf,
  type ItemLeaf,
  type Leaf,
  type LeafKind,
  type LeafKinds,
  type ListLeaf,
  leafKind,
  type SegmentLeaf,
  type ShareLeaf,
  type ValueOf,
  type ValueOfEvents,
} from './condition.ts';
import { dateBounds, isWithin, zoneOfDays } from './dates.ts';
import { type ConditionNeed, MissingFacts } from './facts-needed.ts';
import { isFollowed } from './follows.ts';
import { matchItems } from './items.ts';
import { lookUp } from './lookup.ts';
import {
  ask,
  askOccurrence,
  askTimes,
  historyOf,
  type Needs,
  questionAbout,
  questionOf,
  timesOf,
} from './questions.ts';
import { seen } from './seen.ts';
import { isInShare, placeOf } from './share.ts';
import { consentIn, type Standing } from './standing.ts';
import type { ItemFacts, JsonObject, Profile, Subject } from './subject.ts';
import type { Occurred } from './tally.ts';
import type { Path } from './tree.ts';
import { isComparable, measureOf } from './value-of.ts';
import { isInSpan, spanAt, spanOf, spanOfJoined } from './windows.ts';

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

type Result = Verdict | Needs;

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
  property: (leaf, subject, path) => compared(leaf, lookUp(subject.properties, leaf.property), subject, path),
  from: (leaf, subject, path) => compared(leaf, lookUp({ steps: subject.steps }, resultPath(leaf.from)), subject, path),
  items: (leaf, { properties }, path) => {
    const { property, where, match = 'any' } = leaf.items;
    const value = lookUp(properties, property);
    // An item that is no object has no properties.
    const ofItem = (item: unknown) => evaluate(where, { properties: item as JsonObject }).holds;
    const { holds, item } = matchItems(value, match, ofItem);
    const saw = item ?? value;
    return { holds, leaf: { path, leaf, ...(saw === undefined ? {} : { saw: seen(saw) }) } };
  },
  attribute: (leaf, subject, path) =>
    compared(leaf, lookUp(profileOf(subject).attributes, leaf.attribute), subject, path),
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
  did: (leaf, subject, path) => {
    const answer = ask(subject, questionOf(leaf.did, historyOf(subject)));
    if (typeof answer === 'object' && 'needs' in answer) return answer;
    const total = typeof answer === 'number' ? answer : answer.value;
    const holds = total !== undefined && boundsOf(leaf.did).every((bound) => compare(total, bound));
    return { holds, leaf: { path, leaf, ...(total === undefined ? {} : { saw: total }) } };
  },
  events: (leaf, subject, path) => {
    const own = valueOfEvents(leaf.events, subject);
    if (!('needs' in own)) return compared(leaf, own.value, subject, path);
    // Of both sides at once, so that they are looked up together.
    const other = leaf.value_of ? otherValue(leaf.value_of, subject) : { value: undefined };
    return { needs: [...own.needs, ...('needs' in other ? other.needs : [])] };
  },
  occurrence: (leaf, subject, path) => {
    const { which, where, within, window, ...asked } = leaf.occurrence;
    const { now } = historyOf(subject);
    const answer = askOccurrence(subject, asked, which);
    if ('needs' in answer) return answer;
    const { event } = answer;
    const span = spanOf({ ...(within !== undefined && { within }), ...(window && { window }) }, now);
    const isThen = event !== undefined && isInSpan(span, event.occurredAt);
    const holds = isThen && (!where || evaluate(where, { properties: event.properties, now }).holds);
    return { holds, leaf: { path, leaf, ...(event && { saw: new Date(event.occurredAt).toISOString() }) } };
  },
  sequence: (leaf, subject, path) => {
    const { followed_by: followedBy, ...first } = leaf.sequence;
    const { within, happened = true, ...second } = followedBy;
    const { now } = historyOf(subject);
    const { from } = timesOf(first, now, now);
    const [before, after] = [askTimes(subject, first), askTimes(subject, second, from)];
    if ('needs' in before || 'needs' in after) {
      return { needs: [before, after].flatMap((answer) => ('needs' in answer ? answer.needs : [])) };
    }
    const [firsts, others] = [before.inOrder, after.inOrder];
    const holds = isFollowed(firsts, others, { within: durationMs(within), happened }, now);
    return { holds, leaf: { path, leaf, saw: firsts.length } };
  },
  profile: (leaf, { times }, path) => {
    if (!times) throw new TypeError('Nothing is known here of when the profile came to be');
    const time = leaf.profile.time === 'created_at' ? times.createdAt : times.lastEventAt;
    const holds = time !== undefined && isInSpan(spanAt(leaf.profile.window, times.now), time);
    return { holds, leaf: { path, leaf, ...(time === undefined ? {} : { saw: time }) } };
  },
  item: (leaf, subject, path) => {
    const { item } = subject;
    if (!item) throw new TypeError('There is no item here');
    const found = item.now();
    if (found === undefined) return { needs: [{ type: 'item', ...item.ref }] };
    return compared(leaf, itemFact(leaf, found, item.currency), subject, path);
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

/** Of an item that the catalog does not have, only that it is not available. */
function itemFact({ item, currency }: ItemLeaf, found: ItemFacts, own: string | undefined): unknown {
  if (item === 'available') return found.available;
  if (item === 'stock') return found.stock ?? undefined;
  const wanted = currency ?? own;
  return wanted !== undefined && Object.hasOwn(found.prices, wanted) ? found.prices[wanted] : undefined;
}

/** `steps.score.answer.tier`, or a list where a name contains a dot. */
export function resultPath(from: Name): readonly string[] {
  return typeof from === 'string' ? from.split('.') : from;
}

function belongs(leaf: ListLeaf | SegmentLeaf, subject: Subject, path: Path): Result {
  const audience = audienceOf(leaf) as Audience;
  const since = standingOf(subject).memberSince(audience);
  if (since === undefined) return { needs: [{ type: 'membership', audience }] };
  const isMember = since !== null;
  if (!isMember || (leaf.joined === undefined && leaf.for === undefined)) {
    return { holds: isMember, leaf: { path, leaf, saw: isMember } };
  }
  if (subject.now === undefined) throw new TypeError('Nobody knows here which day it is');
  const holds = isInSpan(spanOfJoined(leaf, subject.now), since);
  return { holds, leaf: { path, leaf, saw: new Date(since).toISOString() } };
}

function evaluateLeaf(leaf: Leaf, subject: Subject, path: Path): Result {
  const evaluator = EVALUATORS[leafKind(leaf)] as (leaf: Leaf, subject: Subject, path: Path) => Result;
  return evaluator(leaf, subject, path);
}

/** Compares with the value that is given, or with another one, without which nothing holds. */
function compared(
  leaf: Exclude<Extract<Leaf, Compared>, IdentifierLeaf>,
  value: unknown,
  subject: Subject,
  path: Path,
): Result {
  if (!leaf.value_of) return decide(leaf, value, path);
  const other = otherValue(leaf.value_of, subject);
  if ('needs' in other) return other;
  const { op, ignore_case } = leaf;
  const comparison = { op, ...(ignore_case !== undefined && { ignore_case }) };
  const holds = isComparable(other.value) && compare(value, { ...comparison, value: other.value });
  return decide(leaf, value, path, holds);
}

function otherValue({ attribute, property, did }: ValueOf, subject: Subject): { value: unknown } | Needs {
  if (attribute !== undefined) return { value: lookUp(profileOf(subject).attributes, attribute) };
  if (property !== undefined) return { value: lookUp(subject.properties, property) };
  if (!did) return { value: undefined };
  // What triggered is compared with what was before it.
  return valueOfEvents(did, subject, historyOf(subject).triggerEventId);
}

/** `except`: the id of an event that does not count. */
function valueOfEvents(did: ValueOfEvents, subject: Subject, except?: string): { value: unknown } | Needs {
  const question = questionAbout(did, measureOf(did), subject);
  const answer = ask(subject, { ...question, ...(except !== undefined && { except }) });
  if (typeof answer === 'number') return { value: finite(answer) };
  if ('needs' in answer) return answer;
  if (did.measure !== 'first' && did.measure !== 'last') return { value: finite(answer.value) };
  return { value: lookUp((answer as Occurred).event?.properties, did.property as Name) };
}

/** A number beyond all others is nothing to compare. */
function finite(number: number | undefined): number | undefined {
  return number !== undefined && Number.isFinite(number) ? number : undefined;
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
