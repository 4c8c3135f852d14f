import type { ComparisonOperator, ComparisonValue, ValueName } from '../../client/index.ts';
import type { Condition, Did, ItemCondition, ItemsTest, Leaf, OtherValue } from '../definitions.ts';
import { dateWords } from './dates.ts';
import { amountOf, type Measured, measuredOf, windowOf } from './did.ts';
import { eventsValueWords, joinedWords, occurrenceWords, otherWords, sequenceWords } from './history-words.ts';
import { nameWords } from './name-words.ts';
import { windowWords } from './window-words.ts';
import { AMOUNTS, CHANNELS, CONSENTS, IDENTIFIERS, ITEM_FACTS, kindOf, OPERATORS } from './words.ts';

const NEGATED_AMOUNTS = { gte: 'lt', gt: 'lte', lte: 'gt', lt: 'gte', eq: undefined } as const;
const NEGATED_CONSENTS = {
  subscribed: 'has not subscribed to',
  unsubscribed: 'has not unsubscribed from',
  never: 'has decided about',
  suppressed: 'is not suppressed for',
} as const;
const eitherOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });
const bothOf = new Intl.ListFormat('en-GB', { type: 'conjunction' });

/** Names of the lists and segments that definitions name, by id. */
export type Names = (id: string) => string | undefined;

/** How the customer and the properties of the event are called. */
interface Voice {
  who: string;
  whose: string;
  ofEvent: string;
  names: Names;
}

const unnamed: Names = () => undefined;
const CLAUSE: Voice = { who: 'the customer', whose: 'the customer’s', ofEvent: ' of the event', names: unnamed };
const FILTER: Voice = { ...CLAUSE, ofEvent: '' };

/** What a condition asks, as what follows “everyone”: “who had a “visit” event and whose “tier” is “gold””. */
export function sentence(definition: Condition, names = unnamed): string {
  return said(definition, { ...CLAUSE, who: 'who', whose: 'whose', names }, false);
}

/** What a condition asks, as what follows “if”: “the customer’s “tier” is “gold””. */
export function clause(condition: Condition): string {
  return said(condition, CLAUSE, false);
}

/** What is asked of events, as what follows them and begins with “where”. */
export function filterWords(filter: Condition): string {
  return `where ${said(filter, FILTER, false)}`;
}

/** Whether what pages and apps send counts, too, in brackets. */
export function clientWords({ from_client }: { from_client?: boolean }): string {
  return from_client ? ' (also from pages and apps)' : '';
}

/** What is negated is said of the conditions themselves, which is the same: each is true or false. */
function said(definition: Condition, voice: Voice, isNegated: boolean): string {
  if ('not' in definition) return said(definition.not, voice, !isNegated);
  if (!('all' in definition || 'any' in definition)) return leafWords(definition, voice, isNegated);
  const isAll = 'all' in definition;
  const parts = isAll ? definition.all : definition.any;
  const texts = parts.map((part) => {
    const text = said(part, voice, isNegated);
    return parts.length > 1 && isJoined(part) ? `(${text})` : text;
  });
  return texts.join(isAll === isNegated ? ' or ' : ' and ') || '…';
}

function isJoined(definition: Condition): boolean {
  if ('not' in definition) return isJoined(definition.not);
  const parts = 'all' in definition ? definition.all : 'any' in definition ? definition.any : [];
  return parts.length > 1 || parts.some(isJoined);
}

function leafWords(leaf: Leaf, voice: Voice, isNegated: boolean): string {
  const { who, whose } = voice;
  if ('did' in leaf) return didWords(leaf.did, voice, isNegated);
  if ('events' in leaf) {
    return `${whose} ${eventsValueWords(leaf.events, filterWords)} ${comparedWords(leaf, voice, isNegated)}`;
  }
  if ('occurrence' in leaf) return occurrenceWords(leaf.occurrence, whose, isNegated, filterWords);
  if ('sequence' in leaf) return sequenceWords(leaf.sequence, who, isNegated, filterWords);
  if ('property' in leaf) return `${named(leaf.property)}${voice.ofEvent} ${comparedWords(leaf, voice, isNegated)}`;
  if ('from' in leaf) return `${named(leaf.from)} ${comparedWords(leaf, voice, isNegated)}`;
  if ('items' in leaf) return itemsWords(leaf.items, voice, isNegated);
  if ('attribute' in leaf) return `${whose} ${named(leaf.attribute)} ${comparedWords(leaf, voice, isNegated)}`;
  if ('date' in leaf) {
    const { attribute, property = '' } = leaf.date;
    const whole = attribute === undefined ? `${named(property)}${voice.ofEvent}` : `${whose} ${named(attribute)}`;
    return `${whole} ${dateWords(leaf.date, isNegated)}`;
  }
  if ('identifier' in leaf) {
    const what = IDENTIFIERS[leaf.identifier];
    if (leaf.op !== 'exists') return `${whose} ${what} ${comparisonWords(leaf, isNegated)}`;
    const article = /^[aei]/.test(what) ? 'an' : 'a';
    return `${who} has ${isNegated ? 'no' : article} ${what}`;
  }
  if ('profile' in leaf) {
    const when = windowWords(leaf.profile.window);
    if (leaf.profile.time === 'created_at') {
      return isNegated ? `${who} did not become a customer ${when}` : `${who} became a customer ${when}`;
    }
    return isNegated ? `${whose} last event did not happen ${when}` : `${whose} last event happened ${when}`;
  }
  if ('consent' in leaf) {
    const { channel, status } = leaf.consent;
    return `${who} ${(isNegated ? NEGATED_CONSENTS : CONSENTS)[status]} ${CHANNELS[channel]}`;
  }
  if ('share' in leaf) {
    const { name, from = 0, to } = leaf.share;
    return `${who} is ${isNegated ? 'not ' : ''}in the random share “${name || '…'}” from ${valueWords(from)} % to ${valueWords(to)} %`;
  }
  if ('item' in leaf) return itemWords(leaf, voice, isNegated);
  if (kindOf(leaf) === undefined) return Object.keys(leaf).join(' ');
  const [kind, id] = 'list' in leaf ? ['list', leaf.list] : ['segment', leaf.segment];
  return `${who} is ${isNegated ? 'not ' : ''}in the ${kind} ${named(voice.names(id) ?? id)}${joinedWords(leaf)}`;
}

/** The item can be bought now; its price in EUR is less than 5 now. */
function itemWords(leaf: ItemCondition, voice: Voice, isNegated: boolean): string {
  const { item, currency, op, value } = leaf;
  if (item === 'available' && op === 'eq' && typeof value === 'boolean') {
    return `the item ${value === isNegated ? 'cannot' : 'can'} be bought now`;
  }
  const what = ITEM_FACTS[item] ?? item;
  return `the item’s ${what}${currency ? ` in ${currency}` : ''} ${comparedWords(leaf, voice, isNegated)} now`;
}

const HAS_ITEMS: Readonly<Record<string, readonly [is: string, isNot: string]>> = {
  any: ['has an item', 'has no item'],
  all: ['has only items', 'does not have only items'],
  none: ['is a list without an item', 'is not a list without an item'],
};

/** “items” has an item where “brand” is “Acme”. */
function itemsWords({ property, where, match = 'any' }: ItemsTest, { ofEvent }: Voice, isNegated: boolean): string {
  const [is, isNot] = HAS_ITEMS[match] ?? [match, `not ${match}`];
  const test = said(where, FILTER, false);
  return `${named(property)}${ofEvent} ${isNegated ? isNot : is} where ${isJoined(where) ? `(${test})` : test}`;
}

function didWords(did: Did, { who, whose }: Voice, isNegated: boolean): string {
  const { at_least, at_most } = did;
  const measured = measuredOf(did);
  const amount = amountOf(did);
  const type = named(did.event_type);
  const { when, which } = whichWords(did);
  if (at_least !== undefined && at_most !== undefined) {
    const had = isNegated ? 'did not have' : 'had';
    return `${who} ${had} ${valueWords(at_least)} to ${valueWords(at_most)} ${type} events${when}${which}`;
  }
  if (!amount) return `${who} had ${isNegated ? 'no' : 'a'} ${type} event${when || ' at any time'}${which}`;
  const flipped = NEGATED_AMOUNTS[amount.op];
  const op = isNegated ? (flipped ?? amount.op) : amount.op;
  const isDenied = isNegated && flipped === undefined;
  const how = `${op === 'lt' && measured ? 'less than' : AMOUNTS[op]} ${valueWords(amount.value)}`;
  if (measured === 'days') {
    const days = amount.value === 1 ? 'day' : 'days';
    return `${who} ${isDenied ? 'did not have' : 'had'} ${type} events on ${how} ${days}${when}${which}`;
  }
  if (measured) {
    const property = named('property' in amount ? amount.property : '');
    return `${whose} ${type} events${when}${which} ${measureWords(measured, isDenied, how, property)}`;
  }
  const events = amount.value === 1 ? 'event' : 'events';
  const had = isDenied ? 'did not have' : 'had';
  return `${who} ${had} ${AMOUNTS[op]} ${valueWords(amount.value)} ${type} ${events}${when}${which}`;
}

/** “add up to at least 5 in “value””, “have an average of at least 5 in “value””. */
function measureWords(measured: Measured, isDenied: boolean, how: string, property: string): string {
  const have = isDenied ? 'do not have' : 'have';
  switch (measured) {
    case 'average':
      return `${have} an average of ${how} in ${property}`;
    case 'minimum':
      return `${have} a least ${property} of ${how}`;
    case 'maximum':
      return `${have} a greatest ${property} of ${how}`;
    case 'distinct':
      return `${have} ${how} different values in ${property}`;
    default:
      return `${isDenied ? 'do not add up' : 'add up'} to ${how} in ${property}`;
  }
}

/** Which events count: when they were, and how they are. */
function whichWords(did: Did): { when: string; which: string } {
  const { filter, since } = did;
  const window = windowOf(did);
  return {
    when: window ? ` ${windowWords(window)}` : since ? ' since the trigger' : '',
    which: `${filter ? ` ${filterWords(filter)}` : ''}${clientWords(did)}`,
  };
}

/** What is compared with a value that is given, or with another one. */
function comparedWords(leaf: Compared & { value_of?: OtherValue }, voice: Voice, isNegated: boolean): string {
  const { op, value, value_of: other, ignore_case } = leaf;
  const said = other && otherWords(other, { whose: 'their', ofEvent: voice.ofEvent }, filterWords);
  return comparisonWords(
    { op, ...(value !== undefined && { value }), ...(ignore_case !== undefined && { ignore_case }) },
    isNegated,
    said,
  );
}

interface Compared {
  op: ComparisonOperator;
  value?: ComparisonValue;
  ignore_case?: boolean;
}

/** `other` is what is said instead of the value: “is at least 5”, “is not “gold””, “does not contain “a””. */
export function comparisonWords({ ignore_case, ...compared }: Compared, isNegated = false, other?: string): string {
  return `${operatorWords(compared, isNegated, other)}${ignore_case ? ', ignoring case' : ''}`;
}

const OF_PARTS: Readonly<Record<string, string>> = {
  contains: 'contain',
  starts_with: 'start with',
  ends_with: 'end with',
};

function operatorWords({ op, value }: Compared, isNegated: boolean, other = valueWords(value)): string {
  const part = OF_PARTS[op];
  if (part) return `${isNegated ? `does not ${part}` : OPERATORS[op]} ${other}`;
  const isOpposite = op === 'not_exists' || op === 'neq' || op === 'not_in';
  const is = isOpposite === isNegated ? 'is' : 'is not';
  if (op === 'exists' || op === 'not_exists') return `${is} set`;
  if (op === 'eq' || op === 'neq') return `${is} ${other}`;
  if (op === 'in' || op === 'not_in') {
    const values = (Array.isArray(value) ? value : [value]).map(valueWords);
    if (is === 'is' || values.length < 2) return `${is} ${eitherOf.format(values)}`;
    return `is none of ${bothOf.format(values)}`;
  }
  return `${is} ${OPERATORS[op].slice('is '.length)} ${other}`;
}

const named = (name: ValueName) => `“${nameWords(name)}”`;

/** A value as people write it: texts in quotation marks, lists with commas. */
export function valueWords(value: unknown): string {
  if (typeof value === 'string') return `“${value}”`;
  if (Array.isArray(value)) return value.map(valueWords).join(', ');
  return Number.isNaN(value) ? '…' : (JSON.stringify(value) ?? '…');
}
