import type { ComparisonOperator } from '../../../client/index.ts';
import type { ConditionWindow, Did, Leaf } from '../../definitions.ts';
import { amountOf, testsOf, windowOf } from './did.ts';
import { spanParts } from './window-words.ts';
import { AMOUNTS, CHANNELS, CONSENTS, IDENTIFIERS, OPERATORS, TIMES } from './words.ts';

/** Whether the fields of the form say all of a condition, which may be anything: without the rest it would be another. */
export function isShownWhole(leaf: Leaf): boolean {
  if ('did' in leaf) return has(leaf, ['did']) && isDid(leaf.did);
  if ('attribute' in leaf) return has(leaf, ['attribute', 'op', 'value']) && isTest(leaf.attribute, leaf);
  if ('identifier' in leaf) {
    return has(leaf, ['identifier', 'op']) && leaf.identifier in IDENTIFIERS && leaf.op === 'exists';
  }
  if ('consent' in leaf) {
    const { channel, status } = leaf.consent;
    const isWhole = has(leaf, ['consent']) && has(leaf.consent, ['channel', 'status']);
    return isWhole && channel in CHANNELS && status in CONSENTS;
  }
  if ('profile' in leaf) {
    const isWhole = has(leaf, ['profile']) && has(leaf.profile, ['time', 'window']);
    return isWhole && leaf.profile.time in TIMES && isWindow(leaf.profile.window);
  }
  if (!has(leaf, ['list']) && !has(leaf, ['segment'])) return false;
  return typeof ('list' in leaf ? leaf.list : 'segment' in leaf ? leaf.segment : undefined) === 'string';
}

const OF_DID = ['event_type', 'filter', 'at_least', 'at_most', 'count', 'sum', 'within', 'window', 'from_client'];

function isDid(did: Did): boolean {
  const { event_type, at_least, at_most, count, sum, window } = did;
  if (!has(did, OF_DID) || typeof event_type !== 'string') return false;
  if ([at_least, at_most, count, sum].filter((one) => one !== undefined).length > 1) return false;
  const amount = amountOf(did);
  if (amount && (!has(amount, ['property', 'op', 'value']) || !(amount.op in AMOUNTS))) return false;
  if (amount && (typeof amount.value !== 'number' || (sum && typeof sum.property !== 'string'))) return false;
  const tests = testsOf(did);
  if (!tests?.every((one) => has(one, ['property', 'op', 'value']) && isTest(one.property, one))) return false;
  if (did.within !== undefined && window !== undefined) return false;
  const when = windowOf(did);
  return when === undefined || isWindow(when);
}

function isTest(name: unknown, { op, value }: { op: ComparisonOperator; value?: unknown }): boolean {
  if (typeof name !== 'string' || !(op in OPERATORS)) return false;
  if (op === 'exists' || op === 'not_exists') return value === undefined;
  if (op !== 'in' && op !== 'not_in') return ['string', 'number', 'boolean'].includes(typeof value);
  return Array.isArray(value) && new Set(value.map((one) => typeof one)).size <= 1;
}

function isWindow(window: ConditionWindow): boolean {
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
