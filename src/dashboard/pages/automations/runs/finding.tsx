import type { ConditionFinding } from '../../../../client/index.ts';
import { clause, valueWords } from '../../../conditions/sentence.ts';
import { known } from '../../../definitions.ts';
import { Named } from '../words/named.tsx';

/** The comparison that decided, and the value that it saw. */
export function Finding({
  finding: { condition, saw },
  before = 'Decided by',
}: {
  finding: ConditionFinding;
  before?: string;
}) {
  return <Named>{`${before}: ${clause(known(condition))}; ${sawWords(condition, saw)}`}</Named>;
}

function sawWords(condition: ConditionFinding['condition'], saw: ConditionFinding['saw']): string {
  if ('list' in condition || 'segment' in condition) {
    if (typeof saw === 'string') return `they have been in it since ${valueWords(saw)}`;
    return saw === true ? 'they were in it' : 'they were not in it';
  }
  if ('sequence' in condition) return `of the first event there were ${valueWords(saw)}`;
  if ('occurrence' in condition) return saw === undefined ? 'there was none' : `it was at ${valueWords(saw)}`;
  return saw === undefined ? 'there was no value' : `it was ${valueWords(saw)}`;
}
