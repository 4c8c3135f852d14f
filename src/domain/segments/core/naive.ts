import { compare } from '../../automations/core/conditions/compare.ts';
import type { Definition, EventCondition, Leaf, NumberOperator, ValueTest, Window } from './definition.ts';
import { type Span, spanAt } from './windows.ts';

export interface KnownEvent {
  type: string;
  /** Milliseconds. */
  at: number;
  properties: Readonly<Record<string, unknown>>;
}

/** All that is known of a customer. */
export interface KnownProfile {
  attributes: Readonly<Record<string, unknown>>;
  identifiers: ReadonlySet<string>;
  createdAt: number;
  events: readonly KnownEvent[];
  /** By channel. */
  consents: Readonly<Record<string, { status: string; suppressed: boolean }>>;
  lists: ReadonlySet<string>;
  segments: ReadonlySet<string>;
}

/**
 * Whether a customer is in a segment at a moment, worked out one event after the other: what checks the evaluator, which
 * compiles definitions to SQL. The two share nothing but the bounds of windows.
 */
export function isMember(definition: Definition, profile: KnownProfile, now: number): boolean {
  if ('not' in definition) return !isMember(definition.not, profile, now);
  if ('all' in definition) return definition.all.every((part) => isMember(part, profile, now));
  if ('any' in definition) return definition.any.some((part) => isMember(part, profile, now));
  return holds(definition, profile, now);
}

function holds(leaf: Leaf, profile: KnownProfile, now: number): boolean {
  if ('event' in leaf) return happened(leaf.event, profile.events, now);
  if ('attribute' in leaf) return passes(profile.attributes, leaf.attribute.name, leaf.attribute);
  if ('identifier' in leaf) return profile.identifiers.has(leaf.identifier);
  if ('list' in leaf) return profile.lists.has(leaf.list);
  if ('segment' in leaf) return profile.segments.has(leaf.segment);
  if ('consent' in leaf) {
    const { status, suppressed } = profile.consents[leaf.consent.channel] ?? { status: 'never', suppressed: false };
    return leaf.consent.status === 'suppressed' ? suppressed : status === leaf.consent.status;
  }
  const { time, window } = leaf.profile;
  return isIn(time === 'created_at' ? profile.createdAt : lastEvent(profile.events, now), window, now);
}

function lastEvent(events: readonly KnownEvent[], now: number): number | undefined {
  const past = events.filter(({ at }) => at <= now).map(({ at }) => at);
  return past.length === 0 ? undefined : Math.max(...past);
}

function happened(condition: EventCondition, events: readonly KnownEvent[], now: number): boolean {
  const { type, where = [], measure = 'count', property = '', op = 'gte', value = 1, window } = condition;
  const counted = events.filter(
    (event) =>
      event.type === type &&
      isIn(event.at, window, now) &&
      where.every((test) => passes(event.properties, test.property, test)),
  );
  if (measure === 'count') return compareNumbers(counted.length, op, value);
  let sum = 0;
  for (const { properties } of counted) {
    const added = lookUp(properties, property);
    if (typeof added === 'number') sum += added;
  }
  return compareNumbers(sum, op, value);
}

function isIn(at: number | undefined, window: Window | undefined, now: number): boolean {
  if (at === undefined) return false;
  const { after, until }: Span = spanAt(window, now);
  return (after === null || at > after) && at <= until;
}

function passes(values: Readonly<Record<string, unknown>>, name: string, test: ValueTest): boolean {
  return compare(lookUp(values, name), test);
}

/** Undefined if it is unset: there is none, or it is null. */
function lookUp(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? (values[name] ?? undefined) : undefined;
}

function compareNumbers(actual: number, op: NumberOperator, wanted: number): boolean {
  if (op === 'eq') return actual === wanted;
  if (op === 'gt') return actual > wanted;
  if (op === 'gte') return actual >= wanted;
  return op === 'lt' ? actual < wanted : actual <= wanted;
}
