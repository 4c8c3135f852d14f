import { compare } from '../../conditions/compare.ts';
import type { NumberOperator } from '../../conditions/comparison.ts';
import type { Definition, EventCondition, Leaf, ValueTest, Window } from './definition.ts';
import { eventTypesOf } from './uses.ts';
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
  return past.length === 0 ? undefined : past.reduce((latest, at) => Math.max(latest, at));
}

function happened(condition: EventCondition, events: readonly KnownEvent[], now: number): boolean {
  const { type, where = [], measure = 'count', property = '', op = 'gte', value = 1, window } = condition;
  const types = eventTypesOf({ type });
  const counted = events.filter(
    (event) =>
      types.includes(event.type) &&
      isIn(event.at, window, now) &&
      where.every((test) => passes(event.properties, test.property, test)),
  );
  if (measure === 'count') return compareNumbers(counted.length, op, value);
  const added = counted.map(({ properties }) => lookUp(properties, property)).filter((one) => typeof one === 'number');
  return compareNumbers(signOfSum([...added, -value]), op, 0);
}

/** The sign of an exact sum, as prices are decimals: 0.1 and 0.2 are 0.3. */
function signOfSum(numbers: readonly number[]): number {
  const parsed = numbers.map((number) => {
    const [digits = '', exponent = '0'] = String(number).split('e');
    const [whole, fraction = ''] = digits.split('.');
    return { value: BigInt(`${whole}${fraction}`), places: fraction.length - Number(exponent) };
  });
  const places = parsed.reduce((most, one) => Math.max(most, one.places), 0);
  const sum = parsed.reduce((total, one) => total + one.value * 10n ** BigInt(places - one.places), 0n);
  return sum < 0n ? -1 : Number(sum > 0n);
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
