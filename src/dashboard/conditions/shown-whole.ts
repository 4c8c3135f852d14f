import type {
  Comparison,
  Condition,
  ConditionWindow,
  Did,
  EventSequence,
  ItemsTest,
  Leaf,
  Occurrence,
  OtherValue,
} from '../definitions.ts';
import { OPERATORS_OF_TEXTS, valueKindOf } from './comparison.ts';
import { isDateShownWhole } from './dates.ts';
import { amountOf, boundsOf, OF_PROPERTY, whenOf, windowOf } from './did.ts';
import {
  AMOUNTS,
  CHANNELS,
  CONSENTS,
  IDENTIFIERS,
  ITEM_FACTS,
  ITEMS,
  OPERATORS,
  TIMES,
  VALUE_MEASURES,
  WHICH,
} from './words.ts';

/**
 * Whether the fields of the form say all of a condition, which may be anything that somebody typed as JSON: without the
 * rest it would be another.
 */
export function isShownWhole(condition: Condition, isLeafShown = isLeafShownWhole): boolean {
  try {
    const isNegated = 'not' in condition;
    const inner = isNegated ? condition.not : condition;
    if ('not' in inner || (isNegated && !has(condition, ['not']))) return false;
    if (!('all' in inner || 'any' in inner)) return isLeafShown(inner);
    const parts = 'all' in inner ? inner.all : inner.any;
    return (
      Object.keys(inner).length === 1 && parts.length > 0 && parts.every((part) => isShownWhole(part, isLeafShown))
    );
  } catch {
    return false;
  }
}

/** Throws for what isn't a condition at all. */
function isLeafShownWhole(leaf: Leaf): boolean {
  if ('did' in leaf) return has(leaf, ['did']) && isDid(leaf.did);
  if ('events' in leaf) {
    return has(leaf, [...OF_COMPARED, 'events']) && areValued(leaf.events) && isSecondSide(leaf);
  }
  if ('occurrence' in leaf) return has(leaf, ['occurrence']) && isOccurrence(leaf.occurrence);
  if ('sequence' in leaf) return has(leaf, ['sequence']) && isSequence(leaf.sequence);
  if ('attribute' in leaf) return has(leaf, [...OF_COMPARED, 'attribute']) && isNamed(leaf.attribute, leaf);
  if ('from' in leaf) return has(leaf, ['from', 'op', 'value', 'ignore_case']) && isNamed(leaf.from, leaf);
  if ('property' in leaf) return has(leaf, [...OF_COMPARED, 'property']) && isNamed(leaf.property, leaf);
  if ('item' in leaf) return has(leaf, ['item', 'op', 'value']) && leaf.item in ITEM_FACTS && isComparison(leaf);
  if ('items' in leaf)
    return has(leaf, ['items']) && has(leaf.items, ['property', 'match', 'where']) && isItems(leaf.items);
  if ('identifier' in leaf) {
    const isText = [leaf.value].flat().every((value) => value === undefined || typeof value === 'string');
    const isKnown = leaf.identifier in IDENTIFIERS && leaf.op in OPERATORS_OF_TEXTS;
    return has(leaf, ['identifier', 'op', 'value', 'ignore_case']) && isKnown && isText && isComparison(leaf);
  }
  if ('date' in leaf) {
    const name = leaf.date.attribute ?? leaf.date.property;
    return has(leaf, ['date']) && isDateShownWhole(leaf.date) && isName(name);
  }
  if ('consent' in leaf) {
    const { channel, status } = leaf.consent;
    const isWhole = has(leaf, ['consent']) && has(leaf.consent, ['channel', 'status']);
    return isWhole && channel in CHANNELS && status in CONSENTS;
  }
  if ('share' in leaf) {
    const { name, from = 0, to } = leaf.share;
    const isWhole = has(leaf, ['share']) && has(leaf.share, ['name', 'from', 'to']);
    return isWhole && typeof name === 'string' && typeof from === 'number' && typeof to === 'number';
  }
  if ('profile' in leaf) {
    const isWhole = has(leaf, ['profile']) && has(leaf.profile, ['time', 'window']);
    return isWhole && leaf.profile.time in TIMES && isWindow(leaf.profile.window);
  }
  if (!has(leaf, ['list', ...OF_JOINED]) && !has(leaf, ['segment', ...OF_JOINED])) return false;
  if (!isJoined(leaf)) return false;
  return typeof ('list' in leaf ? leaf.list : 'segment' in leaf ? leaf.segment : undefined) === 'string';
}

const isOfItemShownWhole = (leaf: Leaf) => 'property' in leaf && isLeafShownWhole(leaf);
const isOfEventShownWhole = (leaf: Leaf) =>
  ('property' in leaf || 'items' in leaf || 'date' in leaf) && isLeafShownWhole(leaf);

function isItems({ property, match = 'any', where }: ItemsTest): boolean {
  return isName(property) && match in ITEMS && isShownWhole(where, isOfItemShownWhole);
}

const OF_COMPARED = ['op', 'value', 'value_of', 'ignore_case'] as const;
const OF_JOINED = ['joined', 'for'] as const;
const OF_EVENTS = ['event_type', 'filter', 'within', 'window', 'from_client'] as const;

type Compared = Comparison & { value_of?: OtherValue };

function isJoined({ joined, for: length }: Extract<Leaf, { list: unknown } | { segment: unknown }>): boolean {
  if (joined && length !== undefined) return false;
  return joined ? isWindow(joined) : length === undefined || typeof length === 'string';
}

function isOccurrence({ where, ...asked }: Occurrence): boolean {
  if (!has(asked, ['which', ...OF_EVENTS]) || !(asked.which in WHICH) || !areEvents(asked)) return false;
  return !where || isShownWhole(where, isOfEventShownWhole);
}

function isSequence({ followed_by: following, ...first }: EventSequence): boolean {
  if (!has(first, OF_EVENTS) || !has(following, ['event_type', 'filter', 'within', 'happened', 'from_client']))
    return false;
  const { within, happened = true, ...second } = following;
  return typeof within === 'string' && typeof happened === 'boolean' && areEvents(first) && areEvents(second);
}

function areEvents(asked: Pick<Did, 'event_type' | 'filter' | 'within' | 'window'>): boolean {
  const { event_type: type, filter, within, window } = asked;
  if (typeof type !== 'string' || (within !== undefined && window)) return false;
  if (filter && !isShownWhole(filter, isOfEventShownWhole)) return false;
  const when = windowOf(asked);
  return when === undefined || isWindow(when);
}

const OF_AMOUNT = ['at_least', 'at_most', 'count', 'days', ...OF_PROPERTY] as const;
const OF_WHEN = ['within', 'window', 'since'] as const;

function isDid(did: Did): boolean {
  if (!has(did, ['event_type', 'filter', 'from_client', ...OF_AMOUNT, ...OF_WHEN])) return false;
  if (typeof did.event_type !== 'string' || !isAmount(did)) return false;
  if (did.filter && !isShownWhole(did.filter, isOfEventShownWhole)) return false;
  if (OF_WHEN.filter((name) => did[name] !== undefined).length > 1) return false;
  const when = whenOf(did);
  return when === undefined || when === 'trigger' || isWindow(when);
}

function isAmount(did: Did): boolean {
  if (OF_AMOUNT.filter((name) => did[name] !== undefined).length > (boundsOf(did) ? 2 : 1)) return false;
  const amount = amountOf(did);
  if (!amount) return true;
  if (!has(amount, ['property', 'op', 'value']) || !(amount.op in AMOUNTS)) return false;
  if ('property' in amount && !isName(amount.property)) return false;
  return [amount.value, did.at_most ?? 0].every((value) => typeof value === 'number');
}

/** Whether it is the name of a value, or the way to one within another. */
function isName(name: unknown): boolean {
  return [name].flat().every((part) => typeof part === 'string');
}

const isNamed = (name: unknown, compared: Compared) => isName(name) && isSecondSide(compared);
const isSecondSide = (compared: Compared) => (compared.value_of ? isOther(compared) : isComparison(compared));

/** Of several other values the form shows one. */
function isOther({ op, value, ignore_case, value_of: other = {} }: Compared): boolean {
  if (value !== undefined || ignore_case !== undefined || valueKindOf(op) === 'none' || valueKindOf(op) === 'list')
    return false;
  if (Object.keys(other).length !== 1) return false;
  const { attribute, property, did } = other;
  return did ? areValued(did) : isName(attribute ?? property);
}

/** Whether it is what events come to. */
function areValued(did: NonNullable<OtherValue['did']>): boolean {
  if (!has(did, ['measure', 'property', ...OF_EVENTS]) || !(did.measure in VALUE_MEASURES)) return false;
  const needsName = did.measure !== 'count' && did.measure !== 'days';
  return needsName === (did.property !== undefined) && (!needsName || isName(did.property)) && areEvents(did);
}

function isComparison({ op, value }: Comparison): boolean {
  if (!(op in OPERATORS)) return false;
  const kind = valueKindOf(op);
  if (kind === 'none') return value === undefined;
  if (kind !== 'list') return ['string', 'number', 'boolean'].includes(typeof value);
  return Array.isArray(value) && new Set(value.map((one) => typeof one)).size <= 1;
}

function isWindow(window: ConditionWindow): boolean {
  if ('ago' in window)
    return has(window, ['ago']) && has(window.ago, ['min', 'max']) && isSpans(Object.values(window.ago));
  if ('last' in window) return has(window, ['last', 'calendar', 'time_zone']) && isSpans([window.last]);
  const times = [window.from, ...(window.to === undefined ? [] : [window.to])];
  return has(window, ['from', 'to']) && times.every((time) => time === '' || !Number.isNaN(Date.parse(time)));
}

const isSpans = (spans: unknown[]) => spans.every((span) => typeof span === 'string');

/** Whether something has no other fields. */
function has(value: object, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => names.includes(name));
}
