import type { SegmentOperator } from '../../../client/index.ts';
import type { SegmentEvent, SegmentWindow } from '../../definitions.ts';
import type { Leaf } from './leaf.ts';
import { spanParts } from './window-words.ts';
import { CHANNELS, CONSENTS, IDENTIFIERS, OPERATORS, TIMES } from './words.ts';

const AMOUNTS: readonly unknown[] = [undefined, 'eq', 'gt', 'gte', 'lt', 'lte'];

/** Whether the fields of the form say all of a condition, which may be anything: without the rest it would be another. */
export function isShownWhole(leaf: Leaf): boolean {
  if ('event' in leaf) return isEvent(leaf.event);
  if ('attribute' in leaf)
    return has(leaf.attribute, ['name', 'op', 'value']) && isTest(leaf.attribute.name, leaf.attribute);
  if ('identifier' in leaf) return leaf.identifier in IDENTIFIERS;
  if ('consent' in leaf) {
    const { channel, status } = leaf.consent;
    return has(leaf.consent, ['channel', 'status']) && channel in CHANNELS && status in CONSENTS;
  }
  if ('profile' in leaf) {
    return has(leaf.profile, ['time', 'window']) && leaf.profile.time in TIMES && isWindow(leaf.profile.window);
  }
  return typeof ('list' in leaf ? leaf.list : 'segment' in leaf ? leaf.segment : undefined) === 'string';
}

function isEvent(event: SegmentEvent): boolean {
  const { type, where, measure, property, op, value, window } = event;
  if (!has(event, ['type', 'where', 'measure', 'property', 'op', 'value', 'window'])) return false;
  if (typeof type !== 'string' || !AMOUNTS.includes(op) || (op === undefined) !== (value === undefined)) return false;
  if (measure === 'sum' ? typeof property !== 'string' || op === undefined : property !== undefined) return false;
  if (where?.some((one) => !has(one, ['property', 'op', 'value']) || !isTest(one.property, one))) return false;
  return (value === undefined || typeof value === 'number') && (window === undefined || isWindow(window));
}

function isTest(name: unknown, { op, value }: { op: SegmentOperator; value?: unknown }): boolean {
  if (typeof name !== 'string' || !(op in OPERATORS)) return false;
  if (op === 'exists' || op === 'not_exists') return value === undefined;
  if (op !== 'in' && op !== 'not_in') return ['string', 'number', 'boolean'].includes(typeof value);
  return Array.isArray(value) && new Set(value.map((one) => typeof one)).size <= 1;
}

function isWindow(window: SegmentWindow): boolean {
  if ('ago' in window)
    return has(window, ['ago']) && has(window.ago, ['min', 'max']) && isSpans(Object.values(window.ago));
  if ('last' in window) return has(window, ['last', 'calendar', 'time_zone']) && isSpans([window.last]);
  const times = [window.from, ...(window.to === undefined ? [] : [window.to])];
  return has(window, ['from', 'to']) && times.every((time) => time === '' || !Number.isNaN(Date.parse(time)));
}

const isSpans = (spans: string[]) => spans.every((span) => spanParts(span) !== undefined);

/** Whether something has no other fields. */
function has(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}
