import { compare } from '../../../conditions/compare.ts';
import type { Comparison } from '../../../conditions/comparison.ts';
import { lookUp } from '../../../conditions/lookup.ts';
import type { Path } from '../../../conditions/tree.ts';
import { durationMs } from '../../../time/duration.ts';
import { type Audience, audienceOf } from '../definition/audiences.ts';
import {
  type Condition,
  type Did,
  type Leaf,
  type LeafKind,
  type LeafKinds,
  type ListLeaf,
  leafKind,
  type SegmentLeaf,
} from '../definition/condition.ts';
import { compareIdentifier } from './compare-identifier.ts';
import { HistoryTooLong, MissingFacts, type Need } from './facts-needed.ts';
import { seen } from './seen.ts';
import { consentIn, type Standing } from './standing.ts';
import type { History, HistoryQuestion, Profile, Subject } from './subject.ts';

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

type Result = Verdict | { needs: Need[] };

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
  const needs: Need[] = [];
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
  attribute: (leaf, subject, path) => decide(leaf, lookUp(profileOf(subject).attributes, leaf.attribute), path),
  identifier: (leaf, subject, path) => {
    const value = lookUp(profileOf(subject).identifiers, leaf.identifier);
    return decide(leaf, value, path, compareIdentifier(leaf.identifier, value, leaf));
  },
  did: (leaf, { history }, path) => {
    if (!history) throw new TypeError('There is no history here');
    const { at_least: least = 0, at_most: most = Number.POSITIVE_INFINITY } = bounds(leaf.did);
    const question = questionOf(leaf.did, history);
    const count = history.count(question);
    if (count === undefined) return { needs: [{ type: 'count', question }] };
    if (count === 'too_long') throw new HistoryTooLong(leaf.did.event_type);
    return { holds: count >= least && count <= most, leaf: { path, leaf, saw: count } };
  },
  list: belongs,
  segment: belongs,
  consent: (leaf, subject, path) => {
    const consents = standingOf(subject).consents();
    if (consents === undefined) return { needs: [{ type: 'consents' }] };
    const { status, suppressed } = consentIn(consents, leaf.consent.channel);
    const isAboutSuppression = leaf.consent.status === 'suppressed';
    const saw = isAboutSuppression && suppressed ? 'suppressed' : status;
    return { holds: saw === leaf.consent.status, leaf: { path, leaf, saw } };
  },
};

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

function bounds({ at_least, at_most }: Did): Pick<Did, 'at_least' | 'at_most'> {
  if (at_least === undefined && at_most === undefined) return { at_least: 1 };
  return { ...(at_least === undefined ? {} : { at_least }), ...(at_most === undefined ? {} : { at_most }) };
}

/** One more than `at_most` tells that it is exceeded. */
function questionOf(did: Did, { now, since, triggerEventId }: History): HistoryQuestion {
  const { at_least = 0, at_most } = bounds(did);
  return {
    eventType: did.event_type,
    from: did.since === 'trigger' ? since : did.within === undefined ? null : now - durationMs(did.within),
    to: now,
    enough: at_most === undefined ? at_least : at_most + 1,
    ...(did.filter ? { filter: did.filter } : {}),
    ...(did.from_client ? { fromClient: true } : {}),
    ...(did.since === 'trigger' && triggerEventId !== undefined ? { except: triggerEventId } : {}),
  };
}
