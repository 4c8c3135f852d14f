import type { ComparisonOperator, ComparisonValue } from '../../../client/index.ts';
import type { Condition, Did, Leaf } from '../../definitions.ts';
import { amountOf, testsOf, windowOf } from './did.ts';
import { windowWords } from './window-words.ts';

export const OPERATORS: Record<ComparisonOperator, string> = {
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
  before: 'is before',
  after: 'is after',
};
export const AMOUNTS = {
  gte: 'at least',
  gt: 'more than',
  eq: 'exactly',
  lte: 'at most',
  lt: 'fewer than',
} as const;
export const IDENTIFIERS = {
  email: 'an e-mail address',
  phone: 'a phone number',
  external_id: 'an external id',
  anonymous_id: 'an anonymous id',
  source_id: 'an id in the previous system',
} as const;
export const CONSENTS = {
  subscribed: 'has subscribed to',
  unsubscribed: 'has unsubscribed from',
  never: 'has never decided about',
  suppressed: 'is suppressed for',
} as const;
export const CHANNELS = { email: 'e-mails', sms: 'text messages' } as const;
export const TIMES = { created_at: 'became a customer', last_event_at: 'last did anything' } as const;

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

/**
 * What a definition asks, as what follows “everyone”: “who had a “visit” event and whose “tier” is “gold””. What is
 * negated is said of the conditions themselves, which is the same: each is true or false.
 */
export function sentence(definition: Condition, names: Names = () => undefined): string {
  return said(definition, names, false);
}

function said(definition: Condition, names: Names, isNegated: boolean): string {
  if ('not' in definition) return said(definition.not, names, !isNegated);
  if (!('all' in definition || 'any' in definition)) return leafWords(definition, names, isNegated);
  const isAll = 'all' in definition;
  const parts = isAll ? definition.all : definition.any;
  const texts = parts.map((part) => {
    const text = said(part, names, isNegated);
    return parts.length > 1 && isJoined(part) ? `(${text})` : text;
  });
  return texts.join(isAll === isNegated ? ' or ' : ' and ');
}

function isJoined(definition: Condition): boolean {
  if ('not' in definition) return isJoined(definition.not);
  const parts = 'all' in definition ? definition.all : 'any' in definition ? definition.any : [];
  return parts.length > 1 || parts.some(isJoined);
}

function leafWords(leaf: Leaf, names: Names, isNegated: boolean): string {
  const not = isNegated ? 'not ' : '';
  if ('did' in leaf) return didWords(leaf.did, isNegated);
  if ('attribute' in leaf || 'property' in leaf) {
    const name = 'attribute' in leaf ? leaf.attribute : leaf.property;
    return `whose ${named(name)} ${compared(leaf.op, leaf.value, isNegated)}`;
  }
  if ('identifier' in leaf) {
    const what = IDENTIFIERS[leaf.identifier];
    if (leaf.op !== 'exists') return `whose ${what.replace(/^an? /, '')} ${compared(leaf.op, leaf.value, isNegated)}`;
    return isNegated ? `who has no ${what.replace(/^an? /, '')}` : `who has ${what}`;
  }
  if ('profile' in leaf) {
    const when = windowWords(leaf.profile.window);
    if (leaf.profile.time === 'created_at') {
      return isNegated ? `who did not become a customer ${when}` : `who became a customer ${when}`;
    }
    return isNegated ? `whose last event did not happen ${when}` : `whose last event happened ${when}`;
  }
  if ('consent' in leaf) {
    const { channel, status } = leaf.consent;
    return `who ${(isNegated ? NEGATED_CONSENTS : CONSENTS)[status]} ${CHANNELS[channel]}`;
  }
  const [kind, id] = 'list' in leaf ? ['list', leaf.list] : ['segment', leaf.segment];
  return `who is ${not}in the ${kind} ${named(names(id) ?? id)}`;
}

function didWords(did: Did, isNegated: boolean): string {
  const { at_least, at_most, sum } = did;
  if (at_least !== undefined && at_most !== undefined) return betweenWords(did, isNegated);
  const amount = amountOf(did);
  const type = named(did.event_type);
  const { when, which } = whichWords(did);
  if (!amount) {
    const had = isNegated ? 'who had no' : 'who had a';
    return `${had} ${type} event${when || ' at any time'}${which}`;
  }
  const flipped = NEGATED_AMOUNTS[amount.op];
  const op = isNegated ? (flipped ?? amount.op) : amount.op;
  const isDenied = isNegated && flipped === undefined;
  if (sum) {
    const than = op === 'lt' ? 'less than' : AMOUNTS[op];
    const adds = isDenied ? 'do not add up' : 'add up';
    return `whose ${type} events${when}${which} ${adds} to ${than} ${quoted(sum.value)} in ${named(sum.property)}`;
  }
  const events = amount.value === 1 ? 'event' : 'events';
  const had = isDenied ? 'did not have' : 'had';
  return `who ${had} ${AMOUNTS[op]} ${quoted(amount.value)} ${type} ${events}${when}${which}`;
}

function betweenWords(did: Did, isNegated: boolean): string {
  const { when, which } = whichWords(did);
  const had = isNegated ? 'did not have' : 'had';
  return `who ${had} ${did.at_least} to ${did.at_most} ${named(did.event_type)} events${when}${which}`;
}

/** Which events count: when they were, and how they are. */
function whichWords(did: Did): { when: string; which: string } {
  const { filter } = did;
  const window = windowOf(did);
  const since = did.since ? ' since the trigger' : '';
  const tests = testsOf(did)?.map((one) => `${named(one.property)} ${compared(one.op, one.value, false)}`);
  const where = tests ?? (filter ? [sentence(filter).replaceAll('whose ', '')] : []);
  const clients = did.from_client ? ' (also from pages and apps)' : '';
  return {
    when: window ? ` ${windowWords(window)}` : since,
    which: `${where.length > 0 ? ` where ${where.join(' and ')}` : ''}${clients}`,
  };
}

/** “is at least 5”, “is not “gold””, “does not contain “a””. */
function compared(op: ComparisonOperator, value: ComparisonValue | undefined, isNegated: boolean): string {
  if (op === 'contains' || op === 'starts_with') {
    if (!isNegated) return `${OPERATORS[op]} ${quoted(value)}`;
    return `does not ${op === 'contains' ? 'contain' : 'start with'} ${quoted(value)}`;
  }
  const isOpposite = op === 'not_exists' || op === 'neq' || op === 'not_in';
  const is = isOpposite === isNegated ? 'is' : 'is not';
  if (op === 'exists' || op === 'not_exists') return `${is} set`;
  if (op === 'eq' || op === 'neq') return `${is} ${quoted(value)}`;
  if (op === 'in' || op === 'not_in') {
    const values = (Array.isArray(value) ? value : [value]).map(quoted);
    if (is === 'is' || values.length < 2) return `${is} ${eitherOf.format(values)}`;
    return `is none of ${bothOf.format(values)}`;
  }
  return `${is} ${OPERATORS[op].slice('is '.length)} ${quoted(value)}`;
}

/** A name, which somebody may not have typed yet. */
function named(name: string | readonly string[]): string {
  return `“${(typeof name === 'string' ? name : name.join(' › ')) || '…'}”`;
}

function quoted(value: unknown): string {
  if (Number.isNaN(value)) return '…';
  return typeof value === 'string' ? `“${value}”` : String(value);
}
