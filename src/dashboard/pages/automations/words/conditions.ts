import type { ComparisonOperator, ValueName } from '../../../../client/index.ts';
import { durationWords, plural } from '../../../components/durations.ts';
import type { Comparison, Condition, Did, EventMatch, IdentifierCondition } from '../../../definitions.ts';
import { sentence } from '../../segments/words.ts';
import { isPlainDid } from '../editor/condition-rows.ts';

export const OPERATOR_WORDS: Readonly<Record<ComparisonOperator, string>> = {
  exists: 'is there',
  not_exists: 'is missing',
  eq: 'is',
  neq: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  starts_with: 'begins with',
  before: 'is before',
  after: 'is after',
};
export const IDENTIFIER_WORDS: Readonly<Record<IdentifierCondition['identifier'], string>> = {
  email: 'e-mail address',
  phone: 'phone number',
  external_id: 'external id',
  anonymous_id: 'anonymous id',
  source_id: 'id in the previous system',
};

const SAID_BY_SEGMENTS = ['did', 'profile', 'list', 'segment', 'consent'];

export function nameWords(name: ValueName): string {
  return typeof name === 'string' ? name || '…' : name.join(' › ');
}

/** A value as people write it: texts in quotation marks, lists with commas. */
export function valueWords(value: unknown): string {
  if (typeof value === 'string') return `“${value}”`;
  if (Array.isArray(value)) return value.map(valueWords).join(', ');
  return JSON.stringify(value) ?? '…';
}

export function comparisonWords({ op, value }: Comparison): string {
  return op === 'exists' || op === 'not_exists' ? OPERATOR_WORDS[op] : `${OPERATOR_WORDS[op]} ${valueWords(value)}`;
}

/** A condition as a part of a sentence that goes on after “if”. */
export function conditionWords(condition: Condition): string {
  if ('all' in condition) return joined(condition.all, ' and ');
  if ('any' in condition) return joined(condition.any, ' or ');
  if ('not' in condition) return `not (${conditionWords(condition.not)})`;
  if (isPlainDid(condition)) return didWords(condition.did);
  if ('property' in condition) return `${nameWords(condition.property)} of the event ${comparisonWords(condition)}`;
  if ('attribute' in condition) return `the customer’s ${nameWords(condition.attribute)} ${comparisonWords(condition)}`;
  if ('identifier' in condition) {
    return `the customer’s ${IDENTIFIER_WORDS[condition.identifier]} ${comparisonWords(condition)}`;
  }
  if (!SAID_BY_SEGMENTS.some((kind) => kind in condition)) return Object.keys(condition).join(' ');
  return `the customer${sentence(condition)
    .replace(/^who /, ' ')
    .replace(/^whose /, '’s ')}`;
}

function joined(conditions: readonly Condition[], word: string): string {
  if (conditions.length === 0) return '…';
  return conditions
    .map((part) =>
      conditions.length > 1 && ('all' in part || 'any' in part) ? `(${conditionWords(part)})` : conditionWords(part),
    )
    .join(word);
}

function didWords(did: Did): string {
  const { event_type, at_least, at_most, within, since, filter } = did;
  const least = at_least ?? (at_most === undefined ? 1 : undefined);
  const bounds = [
    ...(least === undefined ? [] : [`at least ${least === 1 ? 'once' : plural(least, 'time')}`]),
    ...(at_most === undefined ? [] : [at_most === 0 ? 'never' : `at most ${plural(at_most, 'time')}`]),
  ].join(' and ');
  const when = within ? ` within ${durationWords(within)}` : since ? ' since the trigger' : '';
  const where = filter ? `, where ${conditionWords(filter)}` : '';
  return `the customer had ${event_type} ${bounds}${when}${where}${clientWords(did)}`;
}

/** Which events a wait or an exit looks for. */
export function matchWords(match: EventMatch): string {
  const { event_type, match_key, filter } = match;
  const key = match_key ? ` with the same ${nameWords(match_key.property)}` : '';
  return `${event_type}${key}${filter ? `, where ${conditionWords(filter)}` : ''}${clientWords(match)}`;
}

/** Whether what pages and apps send counts, too, in brackets. */
export function clientWords({ from_client }: { from_client?: boolean }): string {
  return from_client ? ' (also from pages and apps)' : '';
}
