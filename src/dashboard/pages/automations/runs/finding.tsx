import type { ConditionFinding } from '../../../../client/index.ts';
import { conditionWords, valueWords } from '../words/conditions.ts';

/** The comparison that decided, and the value that it saw. */
export function Finding({
  finding: { condition, saw },
  before = 'Decided by',
}: {
  finding: ConditionFinding;
  before?: string;
}) {
  return `${before}: ${conditionWords(condition)}; ${saw === undefined ? 'there was no value' : `it was ${valueWords(saw)}`}`;
}
