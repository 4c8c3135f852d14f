import type { ConditionFinding } from '../../../../client/index.ts';
import { useNames } from '../../segments/use-names.ts';
import { conditionWords, valueWords } from '../words/conditions.ts';

/** The comparison that decided, and the value that it saw. */
export function Finding({ finding, before = 'Decided by' }: { finding: ConditionFinding; before?: string }) {
  const { condition } = finding;
  const isAudience = 'list' in condition || 'segment' in condition;
  return isAudience ? <AudienceFinding finding={finding} before={before} /> : findingWords(finding, before);
}

/** Only here names have to be read. */
function AudienceFinding({ finding, before }: { finding: ConditionFinding; before: string }) {
  return findingWords(finding, before, useNames());
}

function findingWords({ condition, saw }: ConditionFinding, before: string, names?: ReturnType<typeof useNames>) {
  return `${before}: ${conditionWords(condition, names)}; ${sawWords(condition, saw)}`;
}

function sawWords(condition: ConditionFinding['condition'], saw: ConditionFinding['saw']): string {
  if ('list' in condition || 'segment' in condition) return saw === true ? 'they were in it' : 'they were not in it';
  return saw === undefined ? 'there was no value' : `it was ${valueWords(saw)}`;
}
