import type { SegmentDefinition, SegmentEvent, SegmentOperator, SegmentWindow } from '../../../client/index.ts';

export const OPERATORS: Record<SegmentOperator, string> = {
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
};

const AMOUNTS = { eq: 'exactly', gt: 'more than', gte: 'at least', lt: 'fewer than', lte: 'at most' } as const;
export const IDENTIFIERS = {
  email: 'an e-mail address',
  phone: 'a phone number',
  external_id: 'an external id',
  anonymous_id: 'an anonymous id',
} as const;
export const CONSENTS = {
  subscribed: 'has subscribed to',
  unsubscribed: 'has unsubscribed from',
  never: 'has never decided about',
  suppressed: 'is suppressed from',
} as const;
export const CHANNELS = { email: 'e-mail', sms: 'text messages' } as const;
export const TIMES = { created_at: 'became a customer', last_event_at: 'last did anything' } as const;

/** Names of the lists and segments that definitions name, by id. */
export type Names = (id: string) => string | undefined;

/** What a definition asks, as a sentence about a customer. */
export function sentence(definition: SegmentDefinition, names: Names = () => undefined): string {
  const part = (inner: SegmentDefinition) => {
    const text = sentence(inner, names);
    return 'all' in inner || 'any' in inner ? `(${text})` : text;
  };
  if ('all' in definition) return definition.all.map(part).join(' and ');
  if ('any' in definition) return definition.any.map(part).join(' or ');
  if ('not' in definition) return `not: ${part(definition.not)}`;
  if ('event' in definition) return eventWords(definition.event);
  if ('attribute' in definition) {
    const { name, op, value } = definition.attribute;
    return compared(name, op, value);
  }
  if ('identifier' in definition) return `has ${IDENTIFIERS[definition.identifier]}`;
  if ('profile' in definition) return `${TIMES[definition.profile.time]}${windowWords(definition.profile.window)}`;
  if ('consent' in definition) return `${CONSENTS[definition.consent.status]} ${CHANNELS[definition.consent.channel]}`;
  if ('list' in definition) return `is in the list ${quoted(names(definition.list) ?? definition.list)}`;
  return `is in the segment ${quoted(names(definition.segment) ?? definition.segment)}`;
}

function eventWords({ type, where = [], measure, property, op, value, window }: SegmentEvent): string {
  const which =
    where.length > 0 ? ` whose ${where.map((one) => compared(one.property, one.op, one.value)).join(' and ')}` : '';
  const when = windowWords(window);
  if (measure === 'sum') return `${property} of all ${type}${which}${when} is ${AMOUNTS[op ?? 'gte']} ${value} in sum`;
  const times = op === undefined ? '' : ` ${AMOUNTS[op]} ${value} times`;
  return `did ${type}${which}${times}${when}`;
}

function compared(name: string, op: SegmentOperator, value: unknown): string {
  if (value === undefined) return `${name} ${OPERATORS[op]}`;
  const shown = Array.isArray(value) ? value.map(quoted).join(', ') : quoted(value);
  return `${name} ${OPERATORS[op]} ${shown}`;
}

function quoted(value: unknown): string {
  return typeof value === 'string' ? `“${value}”` : String(value);
}

function windowWords(window: SegmentWindow | undefined): string {
  if (!window) return '';
  if ('last' in window) return ` in the last ${window.last}`;
  if ('ago' in window) return ` between ${window.ago.min ?? 'now'} and ${window.ago.max ?? 'ever'} ago`;
  return ` from ${window.from}${window.to ? ` to ${window.to}` : ''}`;
}
