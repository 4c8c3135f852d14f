import type { ComparisonOperator, ValueMeasure } from '../../client/index.ts';
import type { Leaf } from '../definitions.ts';

/** What a condition asks about. */
export type Kind =
  | 'did'
  | 'events'
  | 'occurrence'
  | 'sequence'
  | 'attribute'
  | 'identifier'
  | 'date'
  | 'profile'
  | 'consent'
  | 'share'
  | 'list'
  | 'segment'
  | 'property'
  | 'from'
  | 'items'
  | 'item';

/** What those may ask about that look at the customer alone. */
export const OF_CUSTOMER = ['attribute', 'identifier', 'list', 'segment', 'consent', 'share'] as const satisfies Kind[];

/** The same, where it is known which day it is. */
export const OF_CUSTOMER_TODAY = [...OF_CUSTOMER, 'date'] as const satisfies Kind[];

export const KINDS: Readonly<Record<Kind, string>> = {
  did: 'did something',
  events: 'has events that come to',
  occurrence: 'did first or last',
  sequence: 'did one after the other',
  attribute: 'has an attribute',
  identifier: 'has an identifier',
  date: 'has a date',
  profile: 'has been here since',
  consent: 'has consented',
  share: 'is in a random share',
  list: 'is in a list',
  segment: 'is in a segment',
  property: 'has a property',
  from: 'an earlier step brought',
  items: 'has items',
  item: 'the item now',
};
/** What may be asked of an event alone. */
export const OF_EVENT = ['property', 'items', 'date'] as const satisfies Kind[];
export const OPERATORS: Readonly<Record<ComparisonOperator, string>> = {
  exists: 'is set',
  not_exists: 'is not set',
  eq: 'is',
  neq: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  before: 'is before',
  after: 'is after',
};
export const ITEMS = { any: 'any item of', all: 'only items of', none: 'no item of' } as const;
export const ITEM_FACTS = { stock: 'stock', price: 'price', available: 'availability' } as const;
export const AMOUNTS = {
  gte: 'at least',
  gt: 'more than',
  eq: 'exactly',
  lte: 'at most',
  lt: 'fewer than',
} as const;
export const IDENTIFIERS = {
  email: 'e-mail address',
  phone: 'phone number',
  external_id: 'external id',
  anonymous_id: 'anonymous id',
  source_id: 'id in the previous system',
} as const;
export const CONSENTS = {
  subscribed: 'has subscribed to',
  unsubscribed: 'has unsubscribed from',
  never: 'has never decided about',
  suppressed: 'is suppressed for',
} as const;
export const CHANNELS = { email: 'e-mails', sms: 'text messages' } as const;
export const TIMES = { created_at: 'became a customer', last_event_at: 'last did anything' } as const;

/** What may be asked of what customers have done. */
export const OF_HISTORY = ['did', 'occurrence', 'sequence', 'events'] as const satisfies Kind[];
export const WHICH = { first: 'the first', last: 'the last' } as const;
/** What is worked out of events to compare with. */
export const VALUE_MEASURES: Readonly<Record<ValueMeasure, string>> = {
  count: 'the number',
  days: 'the number of days',
  sum: 'the sum',
  average: 'the average',
  minimum: 'the least',
  maximum: 'the greatest',
  distinct: 'the number of different values',
  first: 'the first value',
  last: 'the last value',
};

/** Undefined for a kind that a later version has added. */
export function kindOf(leaf: Leaf): Kind | undefined {
  return (Object.keys(KINDS) as Kind[]).find((kind) => kind in leaf);
}
