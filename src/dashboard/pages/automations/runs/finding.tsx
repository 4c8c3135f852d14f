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
  if ('list' in condition || 'segment' in condition) return saw === true ? 'they were in it' : 'they were not in it';
  return saw === undefined ? 'there was no value' : `it was ${valueWords(saw)}`;
}
